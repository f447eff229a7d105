export { storeFile, saveDocuments, type NewDocument, storeDocument } from './store.ts'
export { prepareImage, loadSharp, maxUploadBytes } from './image.ts'
export { deleteExpiredViewTokens } from './view-token-rows.ts'
