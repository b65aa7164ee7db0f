-- What the grader said of an execution: the rows of the judge `score`. Where nothing is graded there is none.
CREATE TABLE grades (
    execution INTEGER PRIMARY KEY REFERENCES executions (execution) ON DELETE CASCADE,
    score REAL,
    reason TEXT,
    detail TEXT,
    CHECK ((score IS NULL) <> (reason IS NULL))
) STRICT;
INSERT INTO grades
SELECT execution, score, iif(score IS NULL, output_reason, NULL), output_detail FROM executions
WHERE score IS NOT NULL OR output_reason IS NOT NULL;
ALTER TABLE executions DROP COLUMN score;
ALTER TABLE executions DROP COLUMN output_reason;
ALTER TABLE executions DROP COLUMN output_detail;
