/** A folder: a name that nodes can lie under. Names are unique in a base. */
export interface Folder {
  readonly id: string
  readonly baseId: string
  readonly name: string
}

/** Reads folders. */
export interface FolderReader {
  /** The names of all folders of the base, in no order. */
  listNames(baseId: string): Promise<readonly string[]>
}

/** Keeps folders. */
export interface FolderRepository extends FolderReader {
  insert(folder: Folder): Promise<void>
  rename(folderId: string, name: string): Promise<void>
  /** Removes the folder for good. */
  delete(folderId: string): Promise<void>
}
