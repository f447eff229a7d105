-- The dashboard shows the money of each state by currency. Reads all orders once, and keeps writers away until it has committed.
SELECT count_table('order_money', 'orders',
  leaf => $$t.status || '/' || t.currency$$,
  day => $$date 'epoch'$$,
  amount => $$t.investment_amount$$);
