CREATE TABLE "treasury_readings" (
	"chain_id" integer PRIMARY KEY,
	"block_number" bigint,
	"block_at" timestamp(3) with time zone,
	"read_at" timestamp(3) with time zone,
	"wallets" integer,
	"tokens" jsonb,
	"failed_at" timestamp(3) with time zone,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "treasury_wallets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "treasury_wallets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"address" text NOT NULL CONSTRAINT "treasury_wallets_address" UNIQUE,
	"label" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "treasury_wallets_form" CHECK ("address" ~ '^0x[0-9a-f]{40}$')
);
--> statement-breakpoint
-- Keeps writers of transfers away while it reads the table once: some seconds for millions of rows.
CREATE INDEX "chain_transactions_type" ON "chain_transactions" ("transaction_type","created_at","id");