-- Nobody changes what the admin log says, the console included (product 6.9).
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- The chain and the keys that have signed here only grow, no matter who writes.
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER audit_keys_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_keys
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- The details of an audit row with those of a person, as long as these are there (docs/decisions/068).
CREATE FUNCTION audit_details(audit_id bigint, details jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN details ? 'personal'
    THEN (details - 'personal') || coalesce((SELECT p.details FROM audit_personal AS p WHERE p.audit_id = $1), '{}')
    ELSE details END
$$;--> statement-breakpoint
-- They are deleted with the person, and never changed.
CREATE TRIGGER audit_personal_unchanged BEFORE UPDATE OR TRUNCATE ON audit_personal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER bank_allocations_stay BEFORE DELETE OR TRUNCATE ON bank_allocations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- A request is closed once, and what was requested never changes, no matter who writes, but for the erasure of a member. Who requested it
-- notes that its end was seen, once.
CREATE FUNCTION keep_approval() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  free text[] := ARRAY['state', 'decided_by', 'closed_at', 'comment', 'failure'];
BEGIN
  IF OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NEW.body IS NULL AND NEW.changes = '[]' THEN
    free := ARRAY['target_name', 'body', 'changes', 'comment', 'failure', 'erased_at'];
    IF OLD.state = 'open' AND NEW.state = 'expired' THEN
      free := free || ARRAY['state', 'closed_at'];
    END IF;
  ELSIF OLD.state <> 'open' AND OLD.seen_at IS NULL AND NEW.seen_at IS NOT NULL THEN
    free := ARRAY['seen_at'];
  ELSIF OLD.state <> 'open' THEN
    RAISE EXCEPTION 'request % is closed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF to_jsonb(NEW) - free <> to_jsonb(OLD) - free THEN
    RAISE EXCEPTION 'what request % asks for does not change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER approvals_kept BEFORE UPDATE ON approvals FOR EACH ROW EXECUTE FUNCTION keep_approval();
