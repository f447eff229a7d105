-- Rewrites bank_statements, which has some thousands of rows, and holds bank_lines, bank_parts and orders while it indexes them.
ALTER TABLE "bank_lines" ADD COLUMN "entry_key" text;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD COLUMN "covered_by" bigint;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "sequence" integer GENERATED ALWAYS AS (CASE WHEN number ~ '^[0-9]{1,9}$' THEN number::integer END) STORED;--> statement-breakpoint
ALTER TABLE "bank_statements" ADD COLUMN "ends_on" date GENERATED ALWAYS AS (coalesce(closing_on, opening_on, (created_at AT TIME ZONE 'UTC')::date)) STORED;--> statement-breakpoint
CREATE INDEX "bank_parts_refunds" ON "bank_parts" ("line_id") WHERE purpose = 'refund' AND direction = 'credit' AND undone_at IS NULL;--> statement-breakpoint
CREATE INDEX "bank_lines_entry" ON "bank_lines" ("account_id","entry_key") WHERE entry_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_statements_order" ON "bank_statements" ("account_id","kind","ends_on","sequence");--> statement-breakpoint
CREATE INDEX "bank_statements_sequence" ON "bank_statements" ("account_id","kind","sequence","ends_on");--> statement-breakpoint
CREATE INDEX "bank_statements_difference" ON "bank_statements" ("created_at","id") WHERE difference <> 0;--> statement-breakpoint
CREATE INDEX "orders_ended_paid" ON "orders" ("id") WHERE status IN ('expired', 'cancelled') AND received > 0;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_covered_by_bank_statements_id_fkey" FOREIGN KEY ("covered_by") REFERENCES "bank_statements"("id");