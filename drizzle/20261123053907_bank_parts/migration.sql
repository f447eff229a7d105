-- Rewrites orders once, for the payment references, and locks them meanwhile: some seconds for a million.
CREATE TABLE "bank_claims" (
	"line_id" bigint PRIMARY KEY,
	"admin_id" bigint NOT NULL,
	"claimed_until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bank_parts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bank_parts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"line_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"order_id" bigint,
	"other_line_id" bigint,
	"amount" numeric NOT NULL,
	"cause" text,
	"code" text,
	"reason" text,
	"rule" text NOT NULL,
	"is_third_party" boolean DEFAULT false NOT NULL,
	"evidence" jsonb NOT NULL,
	"policy_verdict" text,
	"made_by" text NOT NULL,
	"made_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"undone_by" text,
	"undone_at" timestamp(3) with time zone,
	"undo_reason" text,
	"account_id" bigint DEFAULT 0 NOT NULL,
	"direction" text DEFAULT '' NOT NULL,
	CONSTRAINT "bank_parts_purpose_known" CHECK ("purpose" IN ('order', 'refund', 'reversal', 'ignored')),
	CONSTRAINT "bank_parts_cause_known" CHECK ("cause" IN ('overpaid', 'late', 'duplicate', 'third_party', 'wrong_currency', 'cancelled_order', 'other')),
	CONSTRAINT "bank_parts_code_known" CHECK ("code" IN ('own_transfer', 'fee', 'interest', 'outgoing', 'other_business', 'unknown_returned', 'small_difference')),
	CONSTRAINT "bank_parts_verdict_known" CHECK ("policy_verdict" IN ('same', 'other', 'nothing')),
	CONSTRAINT "bank_parts_rule_known" CHECK ("rule" IN ('exact', 'hand')),
	CONSTRAINT "bank_parts_amount_positive" CHECK ("amount" > 0),
	CONSTRAINT "bank_parts_order_named" CHECK ("purpose" <> 'order' OR "order_id" IS NOT NULL),
	CONSTRAINT "bank_parts_refund_explained" CHECK ("purpose" <> 'refund' OR "cause" IS NOT NULL OR "other_line_id" IS NOT NULL),
	CONSTRAINT "bank_parts_ignored_explained" CHECK (("purpose" = 'ignored') = ("code" IS NOT NULL)),
	CONSTRAINT "bank_parts_undone_whole" CHECK (("undone_at" IS NULL) = ("undone_by" IS NULL) AND ("undone_at" IS NULL) = ("undo_reason" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "bank_policy" (
	"id" integer PRIMARY KEY DEFAULT 1,
	"auto_apply" boolean DEFAULT false NOT NULL,
	"auto_combined" boolean DEFAULT false NOT NULL,
	"auto_remainder" boolean DEFAULT false NOT NULL,
	"payer_name" text DEFAULT 'same' NOT NULL,
	"fee_tolerance" numeric DEFAULT '35.00' NOT NULL,
	"grace_days" integer DEFAULT 1 NOT NULL,
	"overpaid_up_to" numeric DEFAULT '0.00' NOT NULL,
	"reason_for_third_party" boolean DEFAULT true NOT NULL,
	"max_auto_amount" numeric,
	"changed_by" text,
	"changed_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"followed_to" text,
	CONSTRAINT "bank_policy_one_row" CHECK ("id" = 1),
	CONSTRAINT "bank_policy_grace_range" CHECK ("grace_days" BETWEEN 0 AND 7),
	CONSTRAINT "bank_policy_payer_name_known" CHECK ("payer_name" IN ('same', 'initial'))
);
--> statement-breakpoint
CREATE TABLE "payer_accounts" (
	"account" text,
	"member_id" text,
	"line_id" bigint NOT NULL,
	"confirmed_by" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payer_accounts_pkey" PRIMARY KEY("account","member_id")
);
--> statement-breakpoint
CREATE TABLE "payer_names" (
	"member_id" text PRIMARY KEY,
	"name" text NOT NULL,
	"keys" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bank_lines" ADD COLUMN "suggestion" text;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD COLUMN "outcome" text;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD COLUMN "flags" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD COLUMN "proposed_orders" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "paid_via" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "received" numeric DEFAULT '0.00' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payment_reference" text GENERATED ALWAYS AS (order_payment_reference(order_number, id)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment_reference" UNIQUE("payment_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_parts_once" ON "bank_parts" ("line_id","order_id") WHERE undone_at IS NULL AND purpose = 'order';--> statement-breakpoint
CREATE INDEX "bank_parts_line" ON "bank_parts" ("line_id","id");--> statement-breakpoint
CREATE INDEX "bank_parts_order" ON "bank_parts" ("order_id","id") WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "bank_parts_other_line" ON "bank_parts" ("other_line_id") WHERE other_line_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "payer_accounts_member" ON "payer_accounts" ("member_id");--> statement-breakpoint
CREATE INDEX "payer_names_keys" ON "payer_names" USING gin ("keys");--> statement-breakpoint
CREATE INDEX "bank_lines_unproposed" ON "bank_lines" ("id") WHERE suggestion IS NULL AND state IN ('open', 'part');--> statement-breakpoint
CREATE INDEX "bank_lines_work" ON "bank_lines" ("account_id","listed_at","id") WHERE state IN ('open', 'part');--> statement-breakpoint
ALTER TABLE "bank_claims" ADD CONSTRAINT "bank_claims_line_id_bank_lines_id_fkey" FOREIGN KEY ("line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "bank_claims" ADD CONSTRAINT "bank_claims_admin_id_admins_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "bank_parts" ADD CONSTRAINT "bank_parts_line_id_bank_lines_id_fkey" FOREIGN KEY ("line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "bank_parts" ADD CONSTRAINT "bank_parts_order_id_orders_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id");--> statement-breakpoint
ALTER TABLE "bank_parts" ADD CONSTRAINT "bank_parts_other_line_id_bank_lines_id_fkey" FOREIGN KEY ("other_line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "payer_accounts" ADD CONSTRAINT "payer_accounts_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id");--> statement-breakpoint
ALTER TABLE "payer_accounts" ADD CONSTRAINT "payer_accounts_line_id_bank_lines_id_fkey" FOREIGN KEY ("line_id") REFERENCES "bank_lines"("id");--> statement-breakpoint
ALTER TABLE "payer_names" ADD CONSTRAINT "payer_names_member_id_members_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id");--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_suggestion_known" CHECK ("suggestion" IN ('exact', 'check', 'unmatched'));--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_outcome_known" CHECK ("outcome" IN ('exact', 'partial', 'overpaid', 'late', 'duplicate', 'cancelled_order', 'wrong_currency', 'unmatched', 'reversal', 'refund', 'outgoing', 'pending'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_paid_via_known" CHECK ("paid_via" IN ('hand', 'bank'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_received_range" CHECK ("received" >= 0 AND "received" <= "investment_amount");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_paid_by_bank_covered" CHECK ("paid_via" IS DISTINCT FROM 'bank' OR "received" = "investment_amount");