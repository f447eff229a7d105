-- A member has one attempt to be judged, the latest submitted one: whatever earlier one still waits is closed.
UPDATE kyc_verifications v SET status = 'reset', decided_by = 'platform', decided_at = now(), version = version + 1
WHERE status = 'pending' AND EXISTS (
  SELECT FROM kyc_submissions s WHERE s.member_id = v.member_id AND s.attempt_number > v.attempt_number);
--> statement-breakpoint
UPDATE kyc_submissions v SET result = 'pending', version = version + 1
WHERE result = 'under_review' AND EXISTS (
  SELECT FROM kyc_submissions s WHERE s.member_id = v.member_id AND s.attempt_number > v.attempt_number);
--> statement-breakpoint
UPDATE kyc_step2 v SET status = 'reset'
WHERE status = 'submitted' AND EXISTS (
  SELECT FROM kyc_submissions s WHERE s.member_id = v.member_id AND s.attempt_number > v.attempt_number);
--> statement-breakpoint
UPDATE kyc_step3 v SET status = 'reset'
WHERE status = 'submitted' AND EXISTS (
  SELECT FROM kyc_submissions s WHERE s.member_id = v.member_id AND s.attempt_number > v.attempt_number);
--> statement-breakpoint
UPDATE kyc_step4 v SET status = 'reset'
WHERE status = 'submitted' AND EXISTS (
  SELECT FROM kyc_submissions s WHERE s.member_id = v.member_id AND s.attempt_number > v.attempt_number);
--> statement-breakpoint
CREATE TRIGGER kyc_verifications_added AFTER INSERT ON kyc_verifications
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_verifications', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_verifications_changed AFTER UPDATE ON kyc_verifications
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_verifications', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_verifications_removed AFTER DELETE ON kyc_verifications
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_verifications', 'r.status', 'r.submitted_at');
--> statement-breakpoint
-- Leaves are `<result>/<manual or auto>`; those of the other lists are the statuses.
CREATE TRIGGER kyc_submissions_added AFTER INSERT ON kyc_submissions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_submissions',
    'r.result || CASE WHEN r.auto_processed THEN ''/auto'' ELSE ''/manual'' END', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_submissions_changed AFTER UPDATE ON kyc_submissions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_submissions',
    'r.result || CASE WHEN r.auto_processed THEN ''/auto'' ELSE ''/manual'' END', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_submissions_removed AFTER DELETE ON kyc_submissions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_submissions',
    'r.result || CASE WHEN r.auto_processed THEN ''/auto'' ELSE ''/manual'' END', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step2_added AFTER INSERT ON kyc_step2
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step2', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step2_changed AFTER UPDATE ON kyc_step2
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step2', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step2_removed AFTER DELETE ON kyc_step2
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step2', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step3_added AFTER INSERT ON kyc_step3
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step3', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step3_changed AFTER UPDATE ON kyc_step3
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step3', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step3_removed AFTER DELETE ON kyc_step3
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step3', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step4_added AFTER INSERT ON kyc_step4
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step4', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step4_changed AFTER UPDATE ON kyc_step4
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step4', 'r.status', 'r.submitted_at');
--> statement-breakpoint
CREATE TRIGGER kyc_step4_removed AFTER DELETE ON kyc_step4
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_list('kyc_step4', 'r.status', 'r.submitted_at');
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'kyc_verifications', status, (submitted_at AT TIME ZONE 'UTC')::date, count(*)
FROM kyc_verifications GROUP BY 2, 3;
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'kyc_submissions', result || CASE WHEN auto_processed THEN '/auto' ELSE '/manual' END,
  (submitted_at AT TIME ZONE 'UTC')::date, count(*)
FROM kyc_submissions GROUP BY 2, 3;
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'kyc_step2', status, (submitted_at AT TIME ZONE 'UTC')::date, count(*)
FROM kyc_step2 GROUP BY 2, 3;
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'kyc_step3', status, (submitted_at AT TIME ZONE 'UTC')::date, count(*)
FROM kyc_step3 GROUP BY 2, 3;
--> statement-breakpoint
INSERT INTO list_deltas (list, leaf, day, rows)
SELECT 'kyc_step4', status, (submitted_at AT TIME ZONE 'UTC')::date, count(*)
FROM kyc_step4 GROUP BY 2, 3;
--> statement-breakpoint
-- A rare status is found without walking past all others.
CREATE INDEX kyc_submissions_result ON kyc_submissions (result, submitted_at, id);
--> statement-breakpoint
CREATE INDEX kyc_step2_status ON kyc_step2 (status, submitted_at, id);
--> statement-breakpoint
CREATE INDEX kyc_step3_status ON kyc_step3 (status, submitted_at, id);
--> statement-breakpoint
CREATE INDEX kyc_step4_status ON kyc_step4 (status, submitted_at, id);
