CREATE TABLE "approval_rules" (
	"action" text PRIMARY KEY,
	"is_on" boolean NOT NULL,
	"from_amount" numeric,
	"currency" text,
	"roles" text[],
	"changed_by" text NOT NULL,
	"changed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "approval_rules_action_known" CHECK ("action" IN ('mark_order_paid', 'cancel_order', 'apply_payment', 'undo_payment', 'approve_kyc', 'reject_kyc', 'reset_kyc', 'ban_user', 'unban_user', 'create_token', 'switch_token', 'set_bank_policy', 'change_operators', 'set_approval_rule')),
	CONSTRAINT "approval_rules_amount_with_currency" CHECK (("from_amount" IS NULL) = ("currency" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "approvals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"call" text NOT NULL,
	"params" jsonb NOT NULL,
	"body" jsonb,
	"target_version" integer,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"target_name" text NOT NULL,
	"member_id" text,
	"amount" numeric,
	"currency" text,
	"changes" jsonb NOT NULL,
	"requested_by" bigint NOT NULL,
	"requested_from" text,
	"requested_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"decided_by" bigint,
	"closed_at" timestamp(3) with time zone,
	"comment" text,
	"failure" text,
	"erased_at" timestamp(3) with time zone,
	CONSTRAINT "approvals_action_known" CHECK ("action" IN ('mark_order_paid', 'cancel_order', 'apply_payment', 'undo_payment', 'approve_kyc', 'reject_kyc', 'reset_kyc', 'ban_user', 'unban_user', 'create_token', 'switch_token', 'set_bank_policy', 'change_operators', 'set_approval_rule')),
	CONSTRAINT "approvals_state_known" CHECK ("state" IN ('open', 'approved', 'declined', 'withdrawn', 'expired', 'failed')),
	CONSTRAINT "approvals_target_known" CHECK ("target_type" IN ('order', 'bank_line', 'user', 'token', 'bank_policy', 'admin', 'approval_rule')),
	CONSTRAINT "approvals_four_eyes" CHECK ("requested_by" <> "decided_by"),
	CONSTRAINT "approvals_decided" CHECK (("decided_by" IS NOT NULL) = ("state" IN ('approved', 'declined', 'failed'))),
	CONSTRAINT "approvals_closed" CHECK (("closed_at" IS NOT NULL) = ("state" <> 'open'))
);
--> statement-breakpoint
CREATE INDEX "approvals_walk" ON "approvals" ("requested_at","id");--> statement-breakpoint
CREATE INDEX "approvals_target" ON "approvals" ("target_type","target_id","requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_open" ON "approvals" ("action","target_type","target_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "approvals_due" ON "approvals" ("expires_at") WHERE state = 'open';--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_requested_by_admins_id_fkey" FOREIGN KEY ("requested_by") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decided_by_admins_id_fkey" FOREIGN KEY ("decided_by") REFERENCES "admins"("id");--> statement-breakpoint
ALTER TABLE "data_access" DROP CONSTRAINT "data_access_kind_known", ADD CONSTRAINT "data_access_kind_known" CHECK ("kind" IN ('member', 'members', 'kyc_case', 'kyc_lists', 'order', 'orders', 'transactions', 'search', 'export', 'approvals'));