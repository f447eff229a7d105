-- The details of an audit row with those of a person, as long as these are there (docs/decisions/068).
CREATE FUNCTION audit_details(audit_id bigint, details jsonb) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN details ? 'personal'
    THEN (details - 'personal') || coalesce((SELECT p.details FROM audit_personal AS p WHERE p.audit_id = $1), '{}')
    ELSE details END
$$;--> statement-breakpoint
-- They are deleted with the person, and never changed.
CREATE TRIGGER audit_personal_unchanged BEFORE UPDATE OR TRUNCATE ON audit_personal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
