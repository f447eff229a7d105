-- Leaves are `success` and `failed`.
CREATE TRIGGER kyc_webhook_logs_added AFTER INSERT ON kyc_webhook_logs
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_webhook_logs', 'CASE WHEN r.success THEN ''success'' ELSE ''failed'' END', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER kyc_webhook_logs_changed AFTER UPDATE ON kyc_webhook_logs
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_webhook_logs', 'CASE WHEN r.success THEN ''success'' ELSE ''failed'' END', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER kyc_webhook_logs_removed AFTER DELETE ON kyc_webhook_logs
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_webhook_logs', 'CASE WHEN r.success THEN ''success'' ELSE ''failed'' END', 'r.created_at');
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'kyc_webhook_logs', CASE WHEN success THEN 'success' ELSE 'failed' END, (created_at AT TIME ZONE 'UTC')::date,
  count(*)
FROM kyc_webhook_logs GROUP BY 2, 3;
