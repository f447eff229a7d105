CREATE TRIGGER chain_transactions_added AFTER INSERT ON chain_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('chain_transactions', 'r.status', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER chain_transactions_changed AFTER UPDATE ON chain_transactions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('chain_transactions', 'r.status', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER chain_transactions_removed AFTER DELETE ON chain_transactions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('chain_transactions', 'r.status', 'r.created_at');
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'chain_transactions', status, (created_at AT TIME ZONE 'UTC')::date, count(*) FROM chain_transactions GROUP BY 2, 3;
--> statement-breakpoint
-- Completed transfers by token: what they are and what they sum to. The leaf is the token's address, then the symbol that
-- the transfers carry, so that a token nobody has registered is still named. No page is read by it, so its day is fixed.
CREATE FUNCTION count_chain_volume() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted text := 'r.token_address || ''/'' || coalesce(r.token_symbol, '''') AS leaf';
  changes text := CASE TG_OP
    WHEN 'INSERT' THEN format('SELECT %s, 1 AS n, amount FROM added r WHERE status = ''completed''', counted)
    WHEN 'DELETE' THEN format('SELECT %s, -1 AS n, -amount AS amount FROM removed r WHERE status = ''completed''', counted)
    ELSE format('SELECT %1$s, 1 AS n, amount FROM added r WHERE status = ''completed''
      UNION ALL SELECT %1$s, -1, -amount FROM removed r WHERE status = ''completed''', counted)
  END;
BEGIN
  EXECUTE format('INSERT INTO list_deltas (list, leaf, day, rows, amount)
    SELECT ''chain_volume'', leaf, ''epoch'', sum(n), sum(amount) FROM (%s) AS change
    GROUP BY leaf HAVING sum(n) <> 0 OR sum(amount) <> 0', changes);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER chain_volume_added AFTER INSERT ON chain_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_chain_volume();
--> statement-breakpoint
CREATE TRIGGER chain_volume_changed AFTER UPDATE ON chain_transactions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_chain_volume();
--> statement-breakpoint
CREATE TRIGGER chain_volume_removed AFTER DELETE ON chain_transactions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_chain_volume();
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows, amount)
SELECT 'chain_volume', token_address || '/' || coalesce(token_symbol, ''), 'epoch', count(*), sum(amount)
FROM chain_transactions WHERE status = 'completed' GROUP BY 2;
