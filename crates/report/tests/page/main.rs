//! The page: what stands in its file, and how it behaves in a real browser.

#[cfg(test)]
mod browser;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod labelling;
#[cfg(test)]
mod large;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod poor;
#[cfg(test)]
mod rich;
#[cfg(test)]
mod source;
#[cfg(test)]
mod use_of_it;
