CREATE TABLE "wallet_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wallet_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"address" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "coverage_version" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "wallets_taken_to" bigint DEFAULT 0;