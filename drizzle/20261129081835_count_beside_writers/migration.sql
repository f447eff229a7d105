-- The exact counts of a list (docs/decisions/005) in two steps, for a table that has rows: count_table takes both in one transaction and keeps
-- writers away meanwhile. keep_counts makes the function and the triggers that count what each statement changes. It waits for
-- transactions that have written, and holds others up until it commits: call it in a migration of its own.
CREATE FUNCTION keep_counts(list text, counted regclass, leaf text, day text, condition text DEFAULT 'true', amount text DEFAULT '0')
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  name text := 'count_' || list;
  -- What a transition table, or the table itself, holds.
  head text := format('SELECT %s AS leaf, %s AS day, (%s)::numeric AS amount FROM ', leaf, day, amount);
  tail text := format(' AS t WHERE %s', condition);
BEGIN
  EXECUTE format($make$
    CREATE OR REPLACE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $count$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO list_deltas (list, leaf, day, rows, amount)
        SELECT %2$L, leaf, day, count(*), sum(amount) FROM (%3$s) AS change GROUP BY leaf, day;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO list_deltas (list, leaf, day, rows, amount)
        SELECT %2$L, leaf, day, -count(*), -sum(amount) FROM (%4$s) AS change GROUP BY leaf, day;
      ELSE
        INSERT INTO list_deltas (list, leaf, day, rows, amount)
        SELECT %2$L, leaf, day, sum(n), sum(n * amount)
        FROM (SELECT 1 AS n, * FROM (%3$s) AS new UNION ALL SELECT -1, * FROM (%4$s) AS old) AS change
        GROUP BY leaf, day HAVING sum(n) <> 0 OR sum(n * amount) <> 0;
      END IF;
      RETURN NULL;
    END $count$
  $make$, name, list, head || 'added' || tail, head || 'removed' || tail);
  EXECUTE format('CREATE OR REPLACE TRIGGER %1$I AFTER INSERT ON %2$s REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION %3$I()', name || '_added', counted, name);
  EXECUTE format('CREATE OR REPLACE TRIGGER %1$I AFTER UPDATE ON %2$s REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION %3$I()', name || '_changed', counted, name);
  EXECUTE format('CREATE OR REPLACE TRIGGER %1$I AFTER DELETE ON %2$s REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION %3$I()', name || '_removed', counted, name);
END $$;--> statement-breakpoint
-- Appends what the counts lack. Rows and counts are read by one statement, and whoever writes a row writes its count in the same
-- transaction, so that no writer waits and the total is exact. It may run again.
CREATE FUNCTION count_present(list text, counted regclass, leaf text, day text, condition text DEFAULT 'true', amount text DEFAULT '0')
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($make$
    INSERT INTO list_deltas (list, leaf, day, rows, amount)
    WITH present AS MATERIALIZED (
      SELECT leaf, day, count(*) AS rows, sum(amount) AS amount
      FROM (SELECT %2$s AS leaf, %3$s AS day, (%4$s)::numeric AS amount FROM %5$s AS t WHERE %6$s) AS row GROUP BY leaf, day
    ), known AS MATERIALIZED (SELECT leaf, day, rows, amount FROM list_deltas WHERE list = %1$L)
    SELECT %1$L, leaf, day, sum(rows), 0 FROM (
      SELECT leaf, day, rows FROM present UNION ALL SELECT leaf, day, -rows FROM known
      UNION ALL SELECT leaf, day, -rows FROM list_days WHERE list = %1$L) AS change
    GROUP BY leaf, day HAVING sum(rows) <> 0
    UNION ALL SELECT %1$L, leaf, date 'epoch', 0, sum(amount) FROM (
      SELECT leaf, amount FROM present UNION ALL SELECT leaf, -amount FROM known
      UNION ALL SELECT leaf, -amount FROM list_totals WHERE list = %1$L) AS change
    GROUP BY leaf HAVING sum(amount) <> 0
  $make$, list, leaf, day, amount, counted, condition);
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_table(list text, counted regclass, leaf text, day text, condition text DEFAULT 'true', amount text DEFAULT '0')
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM keep_counts(list, counted, leaf, day, condition, amount);
  PERFORM count_present(list, counted, leaf, day, condition, amount);
END $$;
