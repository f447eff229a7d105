CREATE TABLE "chain_coverage" (
	"chain_id" integer,
	"kind" text,
	"address" text,
	"next_block" bigint NOT NULL,
	CONSTRAINT "chain_coverage_pkey" PRIMARY KEY("chain_id","kind","address"),
	CONSTRAINT "chain_coverage_kind_known" CHECK ("kind" IN ('token', 'wallet')),
	CONSTRAINT "chain_coverage_address_form" CHECK ("address" ~ '^0x[0-9a-f]{40}$')
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"chain_id" integer PRIMARY KEY,
	"genesis_hash" text NOT NULL,
	"start_block" bigint NOT NULL,
	"done_block" bigint NOT NULL,
	"done_hash" text NOT NULL,
	"done_at" timestamp(3) with time zone,
	"head_block" bigint,
	"head_at" timestamp(3) with time zone,
	"is_halted" boolean DEFAULT false NOT NULL,
	"problem" text,
	"checked_at" timestamp(3) with time zone,
	"failing_since" timestamp(3) with time zone,
	"reread_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "chain_name" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "chain_symbol" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "chain_decimals" integer;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "chain_has_code" boolean;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "chain_checked_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "chain_id" integer;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "block_number" bigint;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "block_hash" text;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "from_address" text;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "to_address" text;--> statement-breakpoint
ALTER TABLE "chain_transactions" ADD COLUMN "amount_raw" numeric;--> statement-breakpoint
CREATE INDEX "chain_transactions_block" ON "chain_transactions" ("chain_id","block_number") WHERE block_number IS NOT NULL;--> statement-breakpoint
CREATE INDEX "chain_transactions_token" ON "chain_transactions" ("token_address");--> statement-breakpoint
CREATE INDEX "chain_transactions_to" ON "chain_transactions" ("to_address","created_at","id") WHERE to_address IS NOT NULL;