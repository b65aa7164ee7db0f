//! Counts of many rows as parquet has them: the numbers that there are, and the place of every row's number among them.

use polars::prelude::PolarsResult;
use polars_arrow::array::{Array, DictionaryArray, PrimitiveArray};
use polars_arrow::datatypes::{ArrowDataType, IntegerType};
use polars_parquet::write::Encoding;

use crate::columns::primitive;

/// So many different numbers have a dictionary, however few rows there are.
const FEW: usize = 512;

/// The numbers as Arrow has them, and how they are laid out in a file.
///
/// By the rule of polars and to the same bytes, as a test says: what polars counts itself, it counts in code that is compiled for every
/// type and not optimised.
///
/// # Errors
/// When there are more numbers than a dictionary has places.
pub(super) fn array(rows: &[Option<u32>]) -> PolarsResult<(Box<dyn Array>, Encoding)> {
    let Some((least, most)) = bounds(rows).filter(|(least, most)| most - least <= u32::from(u16::MAX)) else {
        // No number, or two that lie far apart: rare, and polars knows what to do.
        return Ok((primitive(rows).boxed(), Encoding::RleDictionary));
    };
    let offset = |number: u32| (number - least) as usize;
    let mut places = vec![None; offset(most) + 1];
    rows.iter().flatten().for_each(|number| places[offset(*number)] = Some(0));
    let numbers: Vec<u32> = (least..=most).filter(|number| places[offset(*number)].is_some()).collect();
    if numbers.len() > FEW && numbers.len() * 4 >= rows.len() * 3 {
        return Ok((primitive(rows).boxed(), Encoding::Plain));
    }
    (0_u32..).zip(&numbers).for_each(|(place, number)| places[offset(*number)] = Some(place));
    let keys: Vec<Option<u32>> = rows.iter().map(|row| row.and_then(|number| places[offset(number)])).collect();
    let dtype = ArrowDataType::Dictionary(IntegerType::UInt32, Box::new(ArrowDataType::UInt32), false);
    let array = DictionaryArray::<u32>::try_new(dtype, primitive(&keys), PrimitiveArray::from_vec(numbers).boxed())?;
    Ok((array.boxed(), Encoding::RleDictionary))
}

/// The smallest and the largest number, where there is one.
fn bounds(rows: &[Option<u32>]) -> Option<(u32, u32)> {
    let mut numbers = rows.iter().flatten().copied();
    let first = numbers.next()?;
    Some(numbers.fold((first, first), |(least, most), number| (least.min(number), most.max(number))))
}
