import { absoluteHours, idleMinutes } from '#contract/auth.ts'
import { providerMinutes, providerReturnPath } from '#contract/oidc.ts'
import { challengeMinutes } from '#contract/factors.ts'
import { invitationHours } from '#contract/operators.ts'
import { leaseMinutes } from '#contract/kyc-reviews.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import { resultProviders } from '#server/features/kyc-results/service.ts'

/** What a call's summary leaves open. */
export const callTexts: Partial<Record<CallName, string>> = {
  'platform.saveMember':
    'The member is created by your own id, or changed where a field differs. Changes of name and e-mail are audited before → after.',
  'platform.memberWallets':
    'Sorted by `createdAt`, and no list of changes: a wallet that is added while it is read may be left out. The member then comes again in `GET /members`.',
  'platform.eraseMember':
    'Names, e-mail, telephone number, birth date, documents with their files, wallets, links to bank accounts and everything written about the member are removed; orders, payments, decisions and the audit log keep the id. It is refused while money is open. The same call again answers `unchanged`; every other call about this id is 409 `member_erased`. The other endpoints hear of it: `member.erased`. It cannot be undone.',
  'platform.saveDocument':
    'The raw bytes of a JPEG, PNG or WebP. The bytes decide, not the header. The picture is stored again without its metadata. The same bytes again answer the same path.',
  'platform.saveKyc':
    'Steps may come in any order and in several calls. `submit` hands the attempt in with whatever steps are there; from then on its steps are fixed. A next attempt may be begun while the member is not approved; one lower than the latest is refused.',
  'platform.saveOrder':
    'Once an operator has marked it paid or cancelled, or it has expired, an identical body answers `unchanged` and a differing one 409.',
  'platform.completeOrder':
    'Call it when the tokens of a paid order have been handed out. Send an `Idempotency-Key`, so that a lost answer can be asked for again.',
  'platform.testEvents':
    'Each endpoint that events go to, or the one named, gets an `endpoint.test`, delivered and listed like any event. It changes nothing. `id` is its `webhook-id`.',
  'platform.saveTransaction': 'An amount is never rounded: send it as a decimal string.',
  'platform.saveToken':
    'A symbol is upper-cased, and an absent logo becomes the kind’s own. A token that an operator has switched on or off stays as the operator left it.',
  'platform.import':
    'One JSON object a line: `type`, the ids of the matching call’s path, and its body, side by side. In a transaction line, where `type` names the line, the movement’s own type is `kind`. A member comes before what belongs to it. Refused lines never stop the others, and the answer is 200 also when lines were refused. An import sends nothing to the KYC provider. The body may be compressed: `Content-Encoding: gzip`. Each line needs the scope of its matching call too, and what was decided elsewhere (`decision`, `paidAt`, `completedAt`, `notes`, a `status` other than `waiting_payment`) the scope `history`; a line without it is refused with `scope_missing`.',
  'platform.bankStatements':
    'For a program that fetches statements, by EBICS or from a folder. The file is imported as an operator imports one: a damaged file stores nothing, rows that cannot be read are named, and a line that an earlier file brought is never stored twice. The same file again is 409 `file_imported`; with its `Idempotency-Key` it is answered as the first time. Rows of a CSV file that count as known (`knownLines`) are stored all the same when the same bytes are sent again with `takeRows`, under another key. An account is added, and the columns of a CSV file are confirmed, in the console first.',
  'platform.kycResults': [
    'No key: the signature is the authentication.',
    ...resultProviders.flatMap(({ description }) => description.text ?? []),
    'A result for a decided case is recorded and changes nothing.',
  ].join(' '),
  'members.ban': 'A banned member can no longer invest. The platform hears of it: `member.banned`.',
  'members.unban': 'The platform hears of it: `member.unbanned`.',
  'members.decideKyc':
    'Approving gives a membership id with the first approval. The platform hears of it: `kyc.approved`, `kyc.rejected` or `kyc.reset`.',
  'kycReviews.review': 'The platform hears of it: `kyc.approved` or `kyc.rejected`.',
  'kycReviews.claimNext': `The case stays the operator’s own for ${leaseMinutes} minutes, and longer while it is open.`,
  'kycWebhooks.submit': '`success: false` is not a refusal: the attempt was made, and `error` says how it went.',
  'kycWebhooks.retry': '`success: false` is not a refusal: the attempt was made, and `error` says how it went.',
  'messages.resend': 'Each goes out under its own id, so a receiver that has it already can tell.',
  'endpoints.create':
    'The secret is made here and shown in this reply alone. An endpoint gets what is written from then on.',
  'endpoints.update':
    'While it is off nothing is written for it; what waits goes on when it is on again. Of the endpoint of the settings the address is fixed.',
  'endpoints.remove':
    'With `dropOpen=true` what waits for it or was given up is dropped; without, the call is refused where there is any.',
  'endpoints.rotateSecret': 'Both secrets sign until the old one is ended.',
  'documents.token': 'Valid for 10 minutes, for this session alone. Each view is audited.',
  'orders.setStatus':
    'Only an order that waits for payment and has not expired. The platform hears of it: `order.paid` or `order.cancelled`.',
  'bank.import':
    'The bytes decide what the file is, not its name or type. A damaged file stores nothing; rows that cannot be read are named, and the rest is stored. A line that an earlier file brought is counted as known and never stored twice. A CSV file needs `accountId`, and an account whose columns were confirmed: otherwise the refusal `csv_profile_needed` has a guess, the open questions and the first rows in `details`.',
  'bank.undoImport':
    'For a file of the wrong account, or one too many. Refused with `import_used` once a line of it was given a purpose, even if that was undone, and while a later file counts on its lines. Its statements and lines are deleted, its row and its bytes stay; the file can be imported again.',
  'bank.acceptDifference':
    'The statement has no difference any more, in the list, in the head of its account and at the bell; the account’s own sum counts it.',
  'bank.acceptGap': 'The statement is no longer a gap, in the list, in the head of its account and at the bell.',
  'bank.acceptUnreadable':
    'For rows or entries whose money is accounted for elsewhere, or that are none. Until then the account and the bell show them.',
  'bank.file': 'Each view is audited, because the file names payers.',
  'bank.updateAccount': 'Number and currency are fixed once the account has lines.',
  'allocations.apply':
    'All allocations are written or none. An order that they cover becomes paid, with less it waits for the rest. The platform hears of it: `order.paid`, `order.payment_received`, `order.refund_due`, `order.refund_paid`. Of a debit, `reversal` undoes as many parts of the named credit as the bank took back. Of a credit, `return` makes due again what the named transfer had paid back.',
  'allocations.undo':
    'An order that the allocation had paid waits again, and the platform hears of it: `order.payment_reversed`. So it does of a refund: `order.refund_withdrawn`, and `order.refund_due` where what paid it back is undone. A reversal or a return is undone on both lines. What a reversal undid stays undone.',
  'allocations.undoAllocations':
    'Each allocation is undone as by the call that undoes one, in one transaction. Where an approval is needed, one request undoes them all.',
  'allocations.memberPayers': 'The latest 100 accounts and payments.',
  'account.read':
    'The console offers what `permissions` holds. `hasOtherOperators`: others can sign in too, so the console names the operator.',
  'approvals.list': 'Holds what is about things that the admin may view.',
  'approvals.approve':
    'Makes the requested change as of now, by the same code, in one transaction, in the name of who has requested it; the audit row names both. Where its target has moved on, nothing is changed, the request is closed as failed, and the answer is `approval_failed`.',
  'bulk.prepare':
    'Keeps the rows with the version that each has now; the job that comes of it is about exactly these. It is forgotten after an hour if it is not started. Anyone who may do the action to one row may do it to many, within limits by role.',
  'bulk.start':
    'Each row is then done in a transaction of its own, by the same code as the single call, with its own audit row and event. What has changed since it was prepared is skipped. Where a rule asks for an approval, each row becomes a request of its own.',
  'approvals.saveStepUp':
    'Calls of that kind are then refused with `step_up_required` where the last sign-in was more than 15 minutes ago. Off at first.',
  'approvals.saveRule':
    'An amount in another currency than that of the rule needs an approval, too. What changes a rule that is on raises a high security event.',
  'operators.invite': `The link is in this reply alone; only its hash is stored. Anyone who opens it within ${invitationHours} hours sets the password, once. The console sends no mail.`,
  'operators.setRole': 'Nobody changes their own role. The last active super admin keeps theirs.',
  'operators.disable':
    'From then on every call of a session and the event stream is 401, and a sign-in answers as a wrong password does. Nobody disables themselves, and the last active super admin cannot be disabled.',
  'operators.resetFactors':
    'The password alone signs in then, or, where a second factor is required, opens nothing but adding one. Nobody resets their own.',
  'exports.bankLines':
    'Names and accounts of payers are left out unless `payers=shown` asks for them. With `attention=refund_due` it has what is due, causes, orders and a text for each transfer.',
  'exports.bankAllocations':
    'Each line once for each of its allocations, with those undone, and once where it has none: the outcome of each payment. Names and accounts of payers are left out unless `payers=shown` asks for them.',
  'tokens.create': 'The symbol is upper-cased. The platform hears of it: `token.created`.',
  'tokens.setActive': 'The platform hears of it: `token.updated`.',
  'wallets.balance': 'All figures are of one block. A token that could not be read is named, never counted as zero.',
  'treasury.read':
    'All figures are of one block, read every ten minutes and on request. What could not be read is null and says why; after a failure the older figures stay, with the failure beside them.',
  'treasury.refresh': 'A chain that cannot be read is not a refusal: `failure` says why, beside the older figures.',
  'treasury.addWallet': "Only a label is kept: the console has no keys. A member's wallet is refused.",
  'chain.health':
    'Told from the database, so that every server of one console says the same; only which nodes answer is this server’s own view.',
  'exports.ready':
    'A browser that follows an export’s link could not tell why it was refused. `list` names the export and `filters` its query; with them it is also said whether the role may export so many rows.',
  'auth.login': `Sets the cookie \`sid\` (over https \`__Host-sid\`; where the console’s address has a port, with it at the end, as in \`sid-3000\`), which is HttpOnly and SameSite=Strict. The session ends after ${idleMinutes} minutes without activity, and after ${absoluteHours} hours in all.`,
  'auth.mfaOptions': `The cookie \`mfa\`, set by the right password, or the provider, of an admin who has a factor, opens these calls for ${challengeMinutes} minutes and no others.`,
  'auth.mfaTotp': 'A code counts once. A wrong one counts as a wrong password does, with the same locks.',
  'auth.stepUp':
    'By the password where the admin has no factor, else by a factor; by the provider with `POST /api/auth/oidc/step-up`. Calls that need it answer 403 `step_up_required`, whose `details.methods` name what is taken.',
  'oidc.begin': `Sets the cookie \`oidc\` (SameSite=Lax), without which the provider’s answer opens nothing, and is valid once within ${providerMinutes} minutes. 404 where OIDC_ISSUER is not set. The provider sends the browser to \`${providerReturnPath}\`, which answers with a page and the session’s cookies.`,
  'oidc.beginStepUp':
    'The provider is asked to ask for credentials again; what it proves renews the authentication of the session that began it.',
  'oidc.beginLink': 'The operator can then sign in by the provider. The return is a page.',
  'factors.addPasskey': 'The admin’s other sessions end.',
  'factors.addTotp': 'The admin’s other sessions end.',
  'factors.remove': 'The admin’s other sessions end.',
  'accountSecurity.endSession': 'Its next call is refused and its event stream ends at once.',
  'accountSecurity.changePassword':
    'Wrong current passwords count as failed sign-ins do. The session that asks goes on with a new cookie; the others end, and browsers that have signed in before stay known.',
  'live.stream': 'Each event names lists; refetch what you show of them.',
}
