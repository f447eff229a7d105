-- Keys made before could do everything but what moving in needs. The constant default rewrites no row; new keys name their scopes.
ALTER TABLE "platform_keys" ADD COLUMN "scopes" text[] NOT NULL DEFAULT '{members.read,members.write,wallets.write,documents.write,kyc.write,orders.read,orders.write,orders.complete,transactions.write,tokens.write,statements.write,imports.write,events.read,endpoints.test}';--> statement-breakpoint
ALTER TABLE "platform_keys" ALTER COLUMN "scopes" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "platform_keys" ADD COLUMN "allowed_from" cidr[];--> statement-breakpoint
ALTER TABLE "platform_keys" ADD CONSTRAINT "platform_keys_scopes" CHECK (cardinality("scopes") > 0);--> statement-breakpoint
ALTER TABLE "platform_keys" ADD CONSTRAINT "platform_keys_networks" CHECK (cardinality("allowed_from") > 0);--> statement-breakpoint
ALTER TABLE "platform_keys" ADD CONSTRAINT "platform_keys_history" CHECK (NOT 'history' = ANY(scopes)
        OR expires_at IS NOT NULL AND expires_at <= created_at + interval '168 hours');