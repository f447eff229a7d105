-- The monitor filters by type. Reads all transfers once, and keeps writers away until it has committed.
SELECT count_table('chain_transactions', 'chain_transactions',
  leaf => $$t.transaction_type || '/' || t.status$$,
  day => $$(t.created_at AT TIME ZONE 'UTC')::date$$);
