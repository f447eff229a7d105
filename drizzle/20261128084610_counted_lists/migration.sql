-- Makes the exact counts of a list, or makes them again after its declaration changed (docs/decisions/005): a function that
-- appends what one statement changed, three triggers that call it, and the counts of the rows there are. Leaf, day, the
-- condition of counted rows and the amount are expressions over the row `t`.
-- Each list has a function of its own, since PostgreSQL plans a fixed statement once a session. No row is ever updated
-- here, so that writers never wait for one another. Takes SHARE ROW EXCLUSIVE on the counted table and on the counts, which
-- keeps writers away until the migration commits, and reads the counted table once.
CREATE FUNCTION count_table(list text, counted regclass, leaf text, day text, condition text DEFAULT 'true', amount text DEFAULT '0')
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
  -- A server that is folding would write back what goes here.
  LOCK TABLE list_deltas, list_totals, list_days IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM list_deltas AS d WHERE d.list = count_table.list;
  DELETE FROM list_totals AS t WHERE t.list = count_table.list;
  DELETE FROM list_days AS d WHERE d.list = count_table.list;
  EXECUTE format('INSERT INTO list_deltas (list, leaf, day, rows, amount)
    SELECT %L, leaf, day, count(*), sum(amount) FROM (%s) AS present GROUP BY leaf, day', list, head || counted || tail);
END $$;--> statement-breakpoint
SELECT count_table('audit_log', 'audit_log',
  leaf => $$t.action || '/' || CASE WHEN t.action <> 'platform_call' THEN 'operators' WHEN t.action = 'platform_call' THEN 'platform' END$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('chain_transactions', 'chain_transactions',
  leaf => $$t.transaction_type || '/' || t.status$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('chain_volume', 'chain_transactions',
  leaf => $$t.token_address || '/' || coalesce(t.token_symbol, '')$$,
  day => $$date 'epoch'$$,
  condition => $$t.status = 'completed'$$,
  amount => $$t.amount$$);--> statement-breakpoint
SELECT count_table('kyc_attempts', 'message_attempts',
  leaf => $$CASE WHEN t.success THEN 'success' WHEN NOT t.success THEN 'failed' END$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$,
  condition => $$t.channel = 'kyc'$$);--> statement-breakpoint
SELECT count_table('kyc_step2', 'kyc_step2',
  leaf => $$t.status$$,
  day => $$(t.submitted_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('kyc_step3', 'kyc_step3',
  leaf => $$t.status$$,
  day => $$(t.submitted_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('kyc_step4', 'kyc_step4',
  leaf => $$t.status$$,
  day => $$(t.submitted_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('kyc_submissions', 'kyc_submissions',
  leaf => $$t.result || '/' || CASE WHEN t.auto_processed THEN 'auto' WHEN NOT t.auto_processed THEN 'manual' END$$,
  day => $$(t.submitted_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('kyc_verifications', 'kyc_verifications',
  leaf => $$t.status$$,
  day => $$(t.submitted_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('messages', 'messages',
  leaf => $$CASE WHEN t.channel = 'platform' THEN 'event' WHEN t.channel = 'kyc' AND t.direction = 'out' THEN 'case' WHEN t.channel = 'kyc' AND t.direction = 'in' THEN 'result' WHEN t.channel IN ('email', 'chat') THEN 'alert' END || '/' || CASE WHEN t.state IN ('waiting', 'sending') THEN 'waiting' WHEN t.state = 'delivered' THEN 'delivered' WHEN t.state = 'failed' THEN 'failed' WHEN t.state = 'dropped' THEN 'dropped' WHEN t.state = 'applied' THEN 'applied' WHEN t.state = 'recorded' THEN 'recorded' WHEN t.state = 'duplicate' THEN 'duplicate' WHEN t.state = 'refused' THEN 'refused' END || '/' || coalesce(t.endpoint_id::text, '')$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('orders', 'orders',
  leaf => $$t.status$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('security_events', 'security_events',
  leaf => $$t.severity || '/' || CASE WHEN t.resolved_at IS NOT NULL THEN 'true' WHEN t.resolved_at IS NULL THEN 'false' END$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('transactions', 'platform_transactions',
  leaf => $$t.type || '/' || t.status$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('users', 'members',
  leaf => $$coalesce(t.kyc_status, '') || '/' || CASE WHEN t.kyc_completed THEN 'completed' WHEN NOT t.kyc_completed THEN 'pending' END || '/' || CASE WHEN t.banned THEN 'true' WHEN NOT t.banned THEN 'false' END || '/' || CASE WHEN t.kyc_submission_count > 0 THEN 'true' WHEN t.kyc_submission_count <= 0 THEN 'false' END$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$);--> statement-breakpoint
SELECT count_table('bank_lines', 'bank_lines',
  leaf => $$t.account_id::text || '/' || t.state || '/' || t.direction || '/' || coalesce(t.suggestion, '')$$,
  day => $$(t.listed_at AT TIME ZONE 'UTC')::date$$,
  amount => $$t.amount$$);--> statement-breakpoint
SELECT count_table('bank_allocations', 'bank_allocations',
  leaf => $$t.account_id::text || '/' || t.direction || '/' || t.purpose || '/' || coalesce(t.code, '')$$,
  day => $$date 'epoch'$$,
  condition => $$t.undone_at IS NULL$$,
  amount => $$t.amount$$);--> statement-breakpoint
SELECT count_table('order_money', 'orders',
  leaf => $$t.status || '/' || t.currency$$,
  day => $$date 'epoch'$$,
  amount => $$t.investment_amount$$);
