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
