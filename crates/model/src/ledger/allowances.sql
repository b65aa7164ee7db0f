-- What may be spent elsewhere, by tasks that have ledgers of their own. It counts for its study in full while it is here.
CREATE TABLE allowance (
    name  TEXT    PRIMARY KEY,
    study TEXT    NOT NULL,
    money INTEGER NOT NULL CHECK (money >= 0)
) STRICT;

CREATE TRIGGER allowance_made AFTER INSERT ON allowance BEGIN
    INSERT INTO spent (study, cost) VALUES (NEW.study, NEW.money)
    ON CONFLICT (study) DO UPDATE SET cost = cost + excluded.cost;
END;

CREATE TRIGGER allowance_ended AFTER DELETE ON allowance BEGIN
    UPDATE spent SET cost = cost - OLD.money WHERE study = OLD.study;
END;
