export { applyRules, liftHold, listHolds, placeHold, requireNoHold, readRules, setRule } from './rules.ts'
