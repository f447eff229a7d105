-- What is put aside is counted by its reason, too. Keeps writers of bank_parts away while it counts them anew.
SELECT count_table('bank_parts', 'bank_parts',
  leaf => $$t.account_id::text || '/' || t.direction || '/' || t.purpose || '/' || coalesce(t.code, '')$$,
  day => $$date 'epoch'$$,
  condition => $$t.undone_at IS NULL$$,
  amount => $$t.amount$$);
