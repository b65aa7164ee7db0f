use super::*;

/// What a test says of a frame: place, line, function, blamed code.
type Told<'text> = (Place<'text>, Option<u32>, Option<&'text str>, Option<&'text str>);

fn told(text: &str) -> Vec<Told<'_>> {
    fn one<'text>(frame: &Frame<'text>) -> Told<'text> {
        (frame.place, frame.line, frame.function, frame.blamed())
    }
    Traceback::read(text).frames.iter().map(one).collect()
}

#[test]
fn every_age_of_ipython_is_read() {
    let five = "<ipython-input-22-01423af3d2f4> in <module>()\n      8     x\n----> 9     forecast = model.predict(future)\n\n\
                ~/anaconda3/lib/python3.7/site-packages/fbprophet/forecaster.py in predict(self, df)\n-> 1175         c = self.f(df)";
    assert_eq!(
        told(five),
        [
            (Place::Cell(Some(22)), Some(9), None, Some("forecast = model.predict(future)")),
            (Place::Package("fbprophet"), Some(1175), Some("predict"), Some("c = self.f(df)")),
        ]
    );
    let seven = "/tmp/ipykernel_23/3019548630.py in <module>\n----> 2 print(a)\n\npandas/_libs/index.pyx in pandas._libs.index.IndexEngine.get_loc()";
    assert_eq!(
        told(seven),
        [(Place::Cell(None), Some(2), None, Some("print(a)")), (Place::Package("pandas"), None, Some("get_loc"), None)]
    );
    let eight = "Input In [18], in <cell line: 2>()\n----> 2 f(1)\n\nInput In [3], in f(x)\n----> 1 g(x)";
    assert_eq!(
        told(eight),
        [
            (Place::Cell(Some(18)), Some(2), None, Some("f(1)")),
            (Place::Cell(Some(3)), Some(1), Some("f"), Some("g(x)"))
        ]
    );
    let nine = "Cell In[34], line 3, in deprocess_img(x)\n----> 3 if len(x.shape) == 4:\n\n\
                File /opt/conda/lib/python3.10/site-packages/pandas/core/frame.py:3807, in DataFrame.__getitem__(self, key)\n-> 3807 indexer = 1\n\n\
                File /opt/conda/lib/python3.10/xml/etree/ElementTree.py:569, in ElementTree.parse(self)";
    assert_eq!(
        told(nine),
        [
            (Place::Cell(Some(34)), Some(3), Some("deprocess_img"), Some("if len(x.shape) == 4:")),
            (Place::Package("pandas"), Some(3807), Some("__getitem__"), Some("indexer = 1")),
            (Place::Standard("xml"), Some(569), Some("parse"), None),
        ]
    );
}

#[test]
fn python_itself_windows_and_eggs_are_read() {
    let plain = "Traceback (most recent call last):\n  File \"/home/a/tools.py\", line 3, in f\n    return 1 / 0\nZeroDivisionError: division by zero";
    assert_eq!(told(plain), [(Place::File("/home/a/tools.py"), Some(3), Some("f"), Some("return 1 / 0"))]);
    let windows = "C:\\Users\\a b\\Anaconda3\\lib\\site-packages\\sklearn\\base.py in fit(self)\n--> 553     x\n~\\Anaconda3\\lib\\subprocess.py in run()";
    assert_eq!(told(windows)[0].0, Place::Package("sklearn"));
    assert_eq!(told(windows)[1].0, Place::Standard("subprocess"));
    let egg = "/opt/conda/lib/python3.6/site-packages/Keras-2.1.5-py3.6.egg/keras/engine/topology.py in save(self)";
    assert_eq!(told(egg)[0].0, Place::Package("keras"));
}

#[test]
fn colours_controls_and_tags_go() {
    let coloured = "\u{1b}[0;32m<ipython-input-3-05c9>\u{1b}[0m in \u{1b}[0;36m<module>\u{1b}[0;34m\u{1b}[0m\n\u{1b}[1;32m----> 17\u{1b}[0m \u{1b}[0;36m1\u{1b}[0m\u{7}\u{8}";
    assert_eq!(told(&plain(coloured)), [(Place::Cell(Some(3)), Some(17), None, Some("1"))]);
    let html = "<div class=\"ansiout\"><span class='x'>NameError</span>\n&lt;command-3&gt; in &lt;module&gt;\n<span>----&gt; 1 a</span></div>";
    let shown = plain(html);
    assert!(shown.contains("<command-3> in <module>") && !shown.contains("span"), "{shown}");
    assert_eq!(told(&shown), [(Place::Cell(None), Some(1), None, Some("a"))]);
    assert_eq!(plain("a < b and b > c"), "a < b and b > c");
}

#[test]
fn other_front_ends_are_read() {
    let link = |line: u32| {
        format!("<a href='vscode-notebook-cell:/c%3A/a%20b/c.ipynb#ch0000004?line={}'>{line}</a>", line - 1)
    };
    let code = format!(
        "c:\\a b\\c.ipynb Cell 5 in <cell line: 2>()\n      {} x = '<a href='\n----> {} f(x)\n\n/a/c.ipynb Cell 4' in f(x)\n----> {} g(x)\n\n\
         /a/c.ipynb Cell 3 line 7\n----> {} h(x)\n\nFile /opt/lib/python3.8/site-packages/pandas/a.py:8, in h()\n----> \
         <a href='file:///opt/a.py?line=7'>8</a> raise",
        link(1),
        link(2),
        link(1),
        link(7)
    );
    let shown = plain(&code);
    assert!(shown.contains("      1 x = '<a href='\n----> 2 f(x)"), "{shown}");
    assert_eq!(
        told(&shown),
        [
            (Place::Cell(None), Some(2), None, Some("f(x)")),
            (Place::Cell(None), Some(1), Some("f"), Some("g(x)")),
            (Place::Cell(None), Some(7), None, Some("h(x)")),
            (Place::Package("pandas"), Some(8), Some("h"), Some("raise")),
        ]
    );
    let colab = "/tmp/ipython-input-3-2041.py in <cell line: 0>()\n----> 1 f()\n\n<decorator-gen-53> in f(a)\n\n\
                 <frozen importlib._bootstrap> in _find_and_load(name)\n\n<magic-timeit> in inner(_it)\n\nFile <command-12>:3, in g()\n----> 3 h()";
    assert_eq!(
        told(colab),
        [
            (Place::Cell(None), Some(1), None, Some("f()")),
            (Place::Standard("importlib"), None, Some("_find_and_load"), None),
            (Place::Cell(None), None, Some("inner"), None),
            (Place::Cell(None), Some(3), Some("g"), Some("h()")),
        ]
    );
}

#[test]
fn of_a_huge_traceback_the_ends_are_read() {
    let cell = "Cell In[1], line 1\n----> 1 f()\n";
    let noise = "File /a/site-packages/lib/a.py:1, in g()\n".repeat(60_000);
    let text = format!("{cell}{noise}File /a/site-packages/deep/b.py:2, in h()\n");
    let read = Traceback::read(&text);
    assert_eq!(read.own_line(), Some("f()"));
    assert_eq!(read.deepest().and_then(|frame| frame.function), Some("h"));
    assert!(read.frames.len() < 30_000);
}

#[test]
fn what_is_no_traceback_has_no_frames() {
    for text in
        ["", "Error in x: object not found", "in in in\n----> 1", "Cell In[", "File ", "  File \"", "\u{1b}[", "<a"]
    {
        let shown = plain(text);
        assert!(Traceback::read(&shown).frames.len() <= 1, "{text:?}");
    }
}
