-- concurrently
CREATE INDEX CONCURRENTLY "orders_soonest" ON "orders" ((CASE status WHEN 'waiting_payment' THEN expires_at ELSE 'infinity'::timestamptz END),"created_at","id","status","expires_at");
