/** Product 14: every list shows 50 rows a page. */
export const pageSize = 50

/** The platform's own ids (product 10.2). Not `.` and `..`, which no browser sends as part of an address. */
export const platformIdForm = /^(?:[\w:-][\w.:-]{0,63}|\.[\w:-][\w.:-]{0,62}|\.\.[\w.:-]{1,62})$/

export const addressForm = /^0x[0-9a-fA-F]{40}$/
export const addressProblem = 'must be 0x and 40 hexadecimal digits'
