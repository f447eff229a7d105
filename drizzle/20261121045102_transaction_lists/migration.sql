-- Counts any list by leaf and UTC day. The trigger says which: the list's name, then its leaf and its instant as
-- expressions over the row `r`. One append of net changes, like count_members().
CREATE FUNCTION count_list() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted text := format('%s AS leaf, ((%s) AT TIME ZONE ''UTC'')::date AS day', TG_ARGV[1], TG_ARGV[2]);
  changes text := CASE TG_OP
    WHEN 'INSERT' THEN format('SELECT %s, 1 AS n FROM added r', counted)
    WHEN 'DELETE' THEN format('SELECT %s, -1 AS n FROM removed r', counted)
    ELSE format('SELECT %1$s, 1 AS n FROM added r UNION ALL SELECT %1$s, -1 FROM removed r', counted)
  END;
BEGIN
  EXECUTE format('INSERT INTO list_deltas (list, leaf, day, rows)
    SELECT $1, leaf, day, sum(n) FROM (%s) AS change GROUP BY 2, 3 HAVING sum(n) <> 0', changes) USING TG_ARGV[0];
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER platform_transactions_added AFTER INSERT ON platform_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('transactions', 'r.status', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER platform_transactions_changed AFTER UPDATE ON platform_transactions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('transactions', 'r.status', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER platform_transactions_removed AFTER DELETE ON platform_transactions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('transactions', 'r.status', 'r.created_at');
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'transactions', status, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM platform_transactions GROUP BY 2, 3;
