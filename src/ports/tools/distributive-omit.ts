/** Removes members from each type of a union, where Omit would only keep what all of them share. */
export type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
