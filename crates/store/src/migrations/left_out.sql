-- One row a version that one condition leaves out; it has no outcome there.
CREATE TABLE left_out (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (version, condition)
) STRICT;
