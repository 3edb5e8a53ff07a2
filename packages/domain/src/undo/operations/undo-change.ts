import { undoOrRedo } from './undo-or-redo.ts'

/** Undoes what the caller did last in a table, in the window in which the call is made. */
export const undoChange = undoOrRedo('undo', 'Undo the last change')
