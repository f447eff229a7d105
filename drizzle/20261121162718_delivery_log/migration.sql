-- Every message, out and in, as one list. The ids of the three tables interleave (4n+1, 4n+2, 4n+3), so that they are
-- unique here, and each table has an index on (created_at, that id): the list is walked by merging three indexes.
CREATE VIEW deliveries AS
  SELECT (id * 4 + 1) AS id, id AS source_id, 'event' AS kind, 'out' AS direction, 'platform' AS channel, type, entity_type,
    entity_id, NULL::integer AS attempt_number, event_id::text AS message_id, state, NULL::text AS signature, tries,
    next_try_at, created_at
  FROM outbox
  UNION ALL
  SELECT (id * 4 + 2), id, 'case', 'out', 'kyc', 'kyc.submitted', 'member', member_id, attempt_number, webhook_id::text,
    state, NULL, tries, next_try_at, created_at
  FROM kyc_deliveries
  UNION ALL
  SELECT (id * 4 + 3), id, 'result', 'in', 'kyc', type, 'member', member_id, attempt_number, webhook_id, state, signature,
    1, NULL, created_at
  FROM kyc_receipts;
--> statement-breakpoint
-- Leaves are `<kind>/<state>`, where what is being sent still waits.
CREATE FUNCTION delivery_leaf(kind text, state text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN kind || '/' || CASE state WHEN 'sending' THEN 'waiting' ELSE state END;
--> statement-breakpoint
CREATE TRIGGER outbox_added AFTER INSERT ON outbox
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''event'', r.state)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER outbox_changed AFTER UPDATE ON outbox
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''event'', r.state)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER outbox_removed AFTER DELETE ON outbox
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''event'', r.state)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER kyc_deliveries_added AFTER INSERT ON kyc_deliveries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''case'', r.state)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER kyc_deliveries_changed AFTER UPDATE ON kyc_deliveries
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''case'', r.state)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER kyc_deliveries_removed AFTER DELETE ON kyc_deliveries
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''case'', r.state)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER kyc_receipts_added AFTER INSERT ON kyc_receipts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''result'', r.state)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER kyc_receipts_changed AFTER UPDATE ON kyc_receipts
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''result'', r.state)', 'r.created_at');
--> statement-breakpoint
CREATE TRIGGER kyc_receipts_removed AFTER DELETE ON kyc_receipts
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('deliveries', 'delivery_leaf(''result'', r.state)', 'r.created_at');
--> statement-breakpoint
-- Until now nothing was ever sent to the platform: all its events wait.
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'deliveries', delivery_leaf(kind, state), (created_at AT TIME ZONE 'UTC')::date, count(*)
FROM deliveries GROUP BY 2, 3;
