export { applyRules } from './apply-rules.ts'
export { liftHold, listHolds, placeHold, requireNoHold } from './holds.ts'
export { readRules, setRule } from './rules.ts'
