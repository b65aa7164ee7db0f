//! Submissions from file to score: against the original graders, against every kind of fault, and by property.

mod desk;
mod golden;
mod hostile;
mod properties;
mod submissions;
