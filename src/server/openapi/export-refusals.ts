const unread = { invalid: 'search: must have at most 200 characters' }
export const busyExports = {
  too_many_requests: '2 exports are under way already. Try again when one of them is done.',
}
const exportLimit = {
  export_limit:
    'This list has 4,000 rows. The role Viewer exports at most 10,000 rows with data of members in 24 hours, and you have exported 9,000. Narrow the filters.',
}
const list = { ...unread, ...busyExports }
const memberList = { ...list, ...exportLimit }

/** What exports answer besides what every call can. */
export const exportRefusals = {
  'exports.ready': { invalid: 'filters: must be the query of the export', ...busyExports, ...exportLimit },
  'exports.users': memberList,
  'exports.orders': memberList,
  'exports.bankLines': memberList,
  'exports.notes': memberList,
  'exports.bankParts': { ...busyExports, ...exportLimit },
  'exports.bankStatements': busyExports,
  'exports.bankImports': busyExports,
  'exports.earningTokens': busyExports,
  'exports.fractionsTokens': busyExports,
  'exports.chainTransactions': memberList,
  'exports.platformTransactions': memberList,
  'exports.submissions': memberList,
  'exports.verifications': memberList,
  'exports.step2': memberList,
  'exports.step3': memberList,
  'exports.step4': memberList,
  'exports.webhookLogs': memberList,
  'exports.deliveries': memberList,
  'exports.securityEvents': list,
  'exports.adminLogs': list,
}
