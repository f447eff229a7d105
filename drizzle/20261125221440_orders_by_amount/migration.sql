-- concurrently
CREATE INDEX CONCURRENTLY "orders_currency_amount" ON "orders" ("currency","investment_amount","created_at","id","status");
