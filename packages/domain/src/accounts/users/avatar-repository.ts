/** A picture that a user has uploaded, as it was made of what they sent. */
export interface StoredAvatar {
  /** What it is asked for by: known to whoever is shown it, and guessed by nobody. No other picture ever has it. */
  readonly id: string
  readonly userId: string
  /** The key of its bytes in the blob store. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** Reads what is known of pictures that users have uploaded. */
export interface AvatarReader {
  find(id: string): Promise<StoredAvatar | undefined>
  /** Those of the paths under which bytes of pictures are kept, in no order. */
  knownPaths(paths: readonly string[]): Promise<readonly string[]>
}

/** Keeps what is known of them: one of each user at most. */
export interface AvatarRepository extends AvatarReader {
  /** Keeps a picture in place of the one that its user had. */
  replace(avatar: StoredAvatar): Promise<void>
  /** Forgets the picture of the user. Answers whether there was one. */
  deleteOfUser(userId: string): Promise<boolean>
}
