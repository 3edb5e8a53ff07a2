import type { StoredFile } from './attachment-repository.ts'

/**
 * Whether the user may put the file into cells of its space: one that cells have had is known to those alone who read
 * them; one that no cell has had is its uploader's.
 */
export function isUsable({ attachedTime, createdBy }: StoredFile, userId: string): boolean {
  return attachedTime !== null || createdBy === userId
}
