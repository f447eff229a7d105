-- Leaves are `<severity>/<open|resolved>`.
CREATE TRIGGER security_events_added AFTER INSERT ON security_events
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('security_events',
    'r.severity || CASE WHEN r.resolved_at IS NULL THEN ''/open'' ELSE ''/resolved'' END', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER security_events_changed AFTER UPDATE ON security_events
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('security_events',
    'r.severity || CASE WHEN r.resolved_at IS NULL THEN ''/open'' ELSE ''/resolved'' END', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER security_events_removed AFTER DELETE ON security_events
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('security_events',
    'r.severity || CASE WHEN r.resolved_at IS NULL THEN ''/open'' ELSE ''/resolved'' END', 'r.created_at');
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'security_events', severity || CASE WHEN resolved_at IS NULL THEN '/open' ELSE '/resolved' END,
  (created_at AT TIME ZONE 'UTC')::date, count(*)
FROM security_events GROUP BY 2, 3;
--> statement-breakpoint
-- Rows are only ever added (audit_log_append_only), so only additions count.
CREATE TRIGGER audit_log_added AFTER INSERT ON audit_log
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('audit_log', 'r.action', 'r.created_at');
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'audit_log', action, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM audit_log GROUP BY 2, 3;
