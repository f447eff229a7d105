-- Counts by type too, so that the list's type filter has its exact total at any size: leaves are `<type>/<status>`.
DROP TRIGGER platform_transactions_added ON platform_transactions;
--> statement-breakpoint
DROP TRIGGER platform_transactions_changed ON platform_transactions;
--> statement-breakpoint
DROP TRIGGER platform_transactions_removed ON platform_transactions;
--> statement-breakpoint
CREATE TRIGGER platform_transactions_added AFTER INSERT ON platform_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('transactions', 'r.type || ''/'' || r.status', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER platform_transactions_changed AFTER UPDATE ON platform_transactions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('transactions', 'r.type || ''/'' || r.status', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER platform_transactions_removed AFTER DELETE ON platform_transactions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('transactions', 'r.type || ''/'' || r.status', 'r.created_at');
--> statement-breakpoint
DELETE FROM list_deltas WHERE list = 'transactions';
--> statement-breakpoint
DELETE FROM list_totals WHERE list = 'transactions';
--> statement-breakpoint
DELETE FROM list_days WHERE list = 'transactions';
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'transactions', type || '/' || status, (created_at AT TIME ZONE 'UTC')::date, count(*)
FROM platform_transactions GROUP BY 2, 3;
