CREATE INDEX bank_lines_search ON bank_lines USING gin (search gin_trgm_ops);--> statement-breakpoint
ALTER TABLE bank_lines ALTER COLUMN search SET STATISTICS 1000;--> statement-breakpoint
-- A line is found by the beginning of the payer's account however it is written.
CREATE INDEX bank_lines_payer_account ON bank_lines ((left(plain_code(payer_account), 34) COLLATE "C"), listed_at, id);--> statement-breakpoint
SELECT count_table('bank_lines', 'bank_lines',
  leaf => $$t.account_id::text || '/' || t.state || '/' || t.direction$$,
  day => $$(t.listed_at AT TIME ZONE 'UTC')::date$$,
  amount => $$t.amount$$);
