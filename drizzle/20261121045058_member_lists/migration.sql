-- Page walk, flags and substring filter from the index alone.
CREATE INDEX members_walk ON members (created_at, id) INCLUDE (search, kyc_completed, banned);
--> statement-breakpoint
CREATE INDEX members_search ON members USING gin (search gin_trgm_ops);
--> statement-breakpoint
-- Finer statistics let the planner tell a rare search (trigram index) from a common one (walk).
ALTER TABLE members ALTER COLUMN search SET STATISTICS 1000;
--> statement-breakpoint
-- Index-only walks need a fresh visibility map.
ALTER TABLE members SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
--> statement-breakpoint
CREATE FUNCTION member_leaf(m members) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(m.kyc_status, 'none') || CASE WHEN m.banned THEN '/banned' ELSE '/active' END
  || CASE WHEN m.kyc_submission_count > 0 THEN '/submitted' ELSE '/new' END;
--> statement-breakpoint
-- Counts any list by leaf and UTC day. The trigger says which: the list's name, then its leaf and its instant as
-- expressions over the row `r`. One statement, one append of net changes: no row is updated here, so writers never wait
-- for one another.
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
CREATE TRIGGER members_added AFTER INSERT ON members
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('users', 'member_leaf(r)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER members_changed AFTER UPDATE ON members
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('users', 'member_leaf(r)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER members_removed AFTER DELETE ON members
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('users', 'member_leaf(r)', 'r.created_at');
--> statement-breakpoint
-- The seven digits of the next membership id (PRODUCT 3.11).
CREATE SEQUENCE membership_numbers MINVALUE 1 MAXVALUE 9999999 START 1;
