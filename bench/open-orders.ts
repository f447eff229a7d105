/** Inserts orders that wait for payment: parameters are the last one, how many members there are, and the first one. */
export const insertOrders = `
  INSERT INTO orders (order_number, member_id, project_id, project_name, investment_amount, currency, bank_name,
    account_holder, account_number, iban, swift, payment_instructions, expires_at)
  SELECT 'ORD-' || lpad(n::text, 8, '0'), 'm-' || 1 + abs(hashint8(n)) % $2::bigint, 'prj-1', 'Solar Park',
    round((10000 + abs(hashint8(n + 70000000)) % 9000000) / 100.0, 2), 'EUR', '', '', '', '', '', '', now() + interval '9 days'
  FROM generate_series($3::bigint, $1::bigint) n`
