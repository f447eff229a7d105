ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_amount_range";
