-- What a fix was asked for, how long it took to be proposed, and the state that it led to; unknown for older rows. `state_code` is a
-- hash of the code without comments and layout, which is not the `code_hash` of an execution; `state_failure` is a hash over its
-- errors, its ending and its score.
ALTER TABLE fixes ADD COLUMN level TEXT;
ALTER TABLE fixes ADD COLUMN template TEXT;
ALTER TABLE fixes ADD COLUMN seconds REAL;
ALTER TABLE fixes ADD COLUMN score REAL;
ALTER TABLE fixes ADD COLUMN state_code TEXT;
ALTER TABLE fixes ADD COLUMN state_failure TEXT;

-- One row a modernize loop: why it ended, and which providers could not answer (a JSON array of texts).
CREATE TABLE loops (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    loop_end TEXT NOT NULL,
    provider_errors TEXT NOT NULL,
    PRIMARY KEY (version, condition)
) STRICT, WITHOUT ROWID;

-- One row a question to a model. `number` is that of the fix, or that the fix would have had; `breaches` is a JSON array of words.
CREATE TABLE questions (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    led_to_fix INTEGER NOT NULL,
    fix_type TEXT NOT NULL,
    provider TEXT NOT NULL,
    level TEXT NOT NULL,
    template TEXT NOT NULL,
    reask INTEGER NOT NULL,
    prompt_hash TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    answer_tokens INTEGER NOT NULL,
    problem TEXT,
    breaches TEXT NOT NULL,
    detail TEXT NOT NULL,
    patch TEXT NOT NULL,
    PRIMARY KEY (version, condition, position)
) STRICT, WITHOUT ROWID;

-- One row a proposal that was not executed, because it broke a rule that guards the experiment.
CREATE TABLE refusals (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    fix_type TEXT NOT NULL,
    provider TEXT NOT NULL,
    breach TEXT NOT NULL,
    findings TEXT NOT NULL,
    patch TEXT NOT NULL,
    PRIMARY KEY (version, condition, position)
) STRICT, WITHOUT ROWID;

-- One row a notebook that was brought back and whose patch was reduced to what it takes.
CREATE TABLE least_patches (
    version TEXT NOT NULL,
    condition TEXT NOT NULL,
    patch TEXT NOT NULL,
    whole_patch TEXT NOT NULL,
    hunks_before INTEGER NOT NULL,
    hunks_after INTEGER NOT NULL,
    similarity_to_original REAL NOT NULL,
    executions INTEGER NOT NULL,
    is_minimal INTEGER NOT NULL,
    PRIMARY KEY (version, condition)
) STRICT, WITHOUT ROWID;
