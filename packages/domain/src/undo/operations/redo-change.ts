import { undoOrRedo } from './undo-or-redo.ts'

/** Does again what the caller undid last in a table, in the window in which the call is made. */
export const redoChange = undoOrRedo('redo', 'Redo what was undone')
