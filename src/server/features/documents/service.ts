export { keepFile, saveDocuments, type NewDocument, storeDocument } from './store.ts'
export { prepareImage, loadSharp, maxUploadBytes } from './image.ts'
export { deleteExpiredTokens } from './tokens.ts'
