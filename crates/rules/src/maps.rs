//! What changed in what draws and measures maps: folium, geopandas, shapely.

use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, replacement};
use crate::keywords::{Fate, keyword};
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static RULES: &[Rule] = &[
    Rule::new(
        "shapely-union",
        ("shapely", "2.1"),
        "cascaded_union is unary_union",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'cascaded_union' from 'shapely.ops'"),
            sig("AttributeError", "module 'shapely.ops' has no attribute 'cascaded_union'"),
        ]),
        Rewrite::Move(&[("shapely.ops.cascaded_union", "shapely.ops.unary_union")]),
        example(
            "from shapely.ops import cascaded_union\nwhole = cascaded_union(parts)\n",
            ("ImportError", "cannot import name 'cascaded_union' from 'shapely.ops' (ops.py)"),
            "from shapely.ops import unary_union as cascaded_union\nwhole = cascaded_union(parts)\n",
        ),
    ),
    Rule::new(
        "geopandas-join-predicate",
        ("geopandas", "1.0"),
        "op of a spatial join is predicate",
        Trigger::Error(&[sig("TypeError", "sjoin() got an unexpected keyword argument 'op'")]),
        Rewrite::Keyword(&[
            keyword(Callee::Function("geopandas", "sjoin"), "op", Fate::Renamed("predicate")),
            keyword(Callee::Method(On::AtFault, "sjoin"), "op", Fate::Renamed("predicate")),
        ]),
        example(
            "import geopandas as gpd\nj = gpd.sjoin(points, areas, how='inner', op='within')\n",
            ("TypeError", "sjoin() got an unexpected keyword argument 'op'"),
            "import geopandas as gpd\nj = gpd.sjoin(points, areas, how='inner', predicate='within')\n",
        ),
    )
    .certain(),
    Rule::new(
        "folium-choropleth",
        ("folium", "0.17"),
        "a map has no choropleth, which is added to it",
        Trigger::Error(&[sig("AttributeError", "'Map' object has no attribute 'choropleth'")]),
        Rewrite::Code(choropleth),
        example(
            "import folium\nm = folium.Map()\nm.choropleth(geo_str=areas, data=df, columns=['a', 'b'], key_on='feature.id', threshold_scale=[0, 5, 9], reset=True)\n",
            ("AttributeError", "'Map' object has no attribute 'choropleth'"),
            "import folium\nm = folium.Map()\nfolium.Choropleth(geo_data=areas, data=df, columns=['a', 'b'], key_on='feature.id', bins=[0, 5, 9]).add_to(m)\n",
        ),
    ),
    Rule::new(
        "folium-tiles",
        ("folium", "0.15"),
        "Stamen and Mapbox give no tiles without a key; others of that look do",
        Trigger::Error(&[sig("ValueError", "Custom tiles must have an attribution")]),
        Rewrite::Code(tiles),
        example(
            "import folium\nm = folium.Map(location=[40, -73], tiles='Stamen Toner')\nfolium.TileLayer('stamenterrain').add_to(m)\n",
            ("ValueError", "Custom tiles must have an attribution."),
            "import folium\nm = folium.Map(location=[40, -73], tiles='CartoDB positron')\nfolium.TileLayer('OpenTopoMap').add_to(m)\n",
        ),
    )
    .shift("the map behind what is drawn is another one"),
];

fn choropleth(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "choropleth")) = shape::method(call) else { return };
        let class = view.class_of(&attribute.value);
        let is_map = match &class {
            Some(class) => class.starts_with("folium.") && class.ends_with(".Map"),
            None => view.at_fault(place, call.range()) && view.kinds(&attribute.value).is_empty(),
        };
        if !is_map || view.qualified(&call.func).is_some() {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        for (old, new) in [("geo_path", "geo_data"), ("geo_str", "geo_data"), ("threshold_scale", "bins")] {
            if let Some(number) = edit.find(old).filter(|_| edit.find(new).is_none()) {
                edit.name(number, new);
            }
        }
        for gone in ["reset", "data_out"] {
            edit.find(gone).into_iter().for_each(|number| edit.remove(number));
        }
        let class = change.spell(place, "folium.Choropleth");
        let map = receiver_text(view.parsed(place), attribute);
        change.replace(place, call.range(), format!("{class}({}).add_to({map})", edit.render()));
    });
}

/// Tiles by their names, in small letters and without spaces, as folium compared them.
const TILES: [(&str, &str); 6] = [
    ("stamentoner", "CartoDB positron"),
    ("stamenterrain", "OpenTopoMap"),
    ("stamenwatercolor", "CartoDB voyager"),
    ("mapboxbright", "CartoDB positron"),
    ("mapboxcontrolroom", "CartoDB dark_matter"),
    ("stamentonerlite", "CartoDB positron"),
];

fn tiles(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let first = match view.qualified(&call.func).as_deref() {
            Some("folium.Map" | "folium.folium.Map") => None,
            Some("folium.TileLayer" | "folium.raster_layers.TileLayer") => call.arguments.args.first(),
            _ => return,
        };
        let Some(given) = shape::keyword(call, "tiles").map(|keyword| &keyword.value).or(first) else { return };
        let name: String = shape::text(given).unwrap_or_default().to_lowercase().replace(['_', ' ', '.'], "");
        if let Some((_, new)) = TILES.iter().find(|(old, _)| *old == name) {
            change.edit(place, call.start(), vec![replacement(given.range(), format!("'{new}'"))]);
        }
    });
}
