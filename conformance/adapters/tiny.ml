(* ocamlc tiny.ml -o tiny; ../run --adapter './tiny {file}' --level events --kinds magic,instant *)
let data = let f = open_in_bin Sys.argv.(1) in really_input_string f (in_channel_length f)
let n = String.length data / 8
let word at = String.get_int64_le data (8 * at)
let bits at low width = (* of at most 32 bits *)
  Int64.(to_int (logand (shift_right_logical (word at) low) (sub (shift_left 1L width) 1L)))
let words r = if r >= 0x8000 then (r land 0x7fff + 7) / 8 else 0
let text r at =
  if r > 0 && r < 0x8000 then "null" else (* no string table here *)
    let hex i = Printf.sprintf "%02x" (Char.code data.[8 * at + i]) in
    {|{"hex":"|} ^ String.concat "" (List.init (r land 0x7fff) hex) ^ {|"}|}
let instant r size =
  let category = bits r 32 16 and name = bits r 48 16 and inl = bits r 24 8 = 0 in
  let at = if inl then 4 else 2 in
  let stop = at + words category + words name in
  let koid at = if inl then Printf.sprintf "%Lu" (word at) else "null" in
  let scope = if stop < size then word (r + stop) else 0L in
  if stop <= size then (* its contents fit *)
    List.iter print_string [
      {|{"event":"instant","provider":0,"args":{},"process":|}; koid (r + 2);
      {|,"thread":|}; koid (r + 3); Printf.sprintf {|,"ts":%Lu,"category":|} (word (r + 1));
      text category (r + at); {|,"name":|}; text name (r + at + words category); {|,"scope":"|};
      (match scope with 1L -> "process" | 2L -> "global" | _ -> "thread"); "\"}\n"]
let rec read at =
  if at < n && word 0 <> 0x1000044678541600L then begin
    let size = if word at = 0L then 1 else bits at 4 (if bits at 0 4 = 15 then 32 else 12) in
    if size = 0 || size > n - at then exit 1;
    if bits at 0 24 land 0xff000f = 4 then instant at size; (* one without arguments *)
    read (at + size) end
let () = read 0; exit (String.length data mod 8)
