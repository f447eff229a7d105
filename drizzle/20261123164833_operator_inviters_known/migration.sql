-- Who made an invitation that is still open was only in the log: the latest row of each counts. There are at most 100 operators.
UPDATE admins SET
  invited_by = (SELECT i.id FROM admins i WHERE i.id::text = latest.actor_id),
  invitation_approved_by = (SELECT a.id FROM admins a WHERE a.username = latest.details->'approval'->>'approvedBy')
FROM (
  SELECT DISTINCT ON (target_id) target_id, actor_id, details FROM audit_log
  WHERE action = 'invite_operator' AND target_type = 'admin' AND actor_kind = 'admin' ORDER BY target_id, id DESC
) AS latest
WHERE latest.target_id = admins.id::text;
