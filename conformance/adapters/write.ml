(* ocamlc -o write write.ml; PROTOCOL.md has the command of run. *)
let events = [ "instant"; "counter"; "duration_begin"; "duration_end"; "duration_complete" ]
let types = [ ""; "int32"; "uint32"; "int64"; "uint64" ]
let scopes = [ "thread"; "process"; "global" ]

let rec find names which =
  match names with
  | name :: rest -> if name = which then 0 else 1 + find rest which
  | [] -> failwith which

(* A negative one wraps. *)
let number text = Int64.of_string (if text.[0] = '-' then text else "0u" ^ text)
let ( ||| ) = Int64.logor
let bits value low = Int64.shift_left (Int64.of_int value) low

(* The bytes of an inline string, with zeros to whole words, and its length. *)
let text quoted =
  let raw = Buffer.create 16 in
  let rec take at =
    match quoted.[at] with
    | '"' -> ()
    | '%' ->
        Buffer.add_char raw (Char.chr (int_of_string ("0x" ^ String.sub quoted (at + 1) 2)));
        take (at + 3)
    | c -> Buffer.add_char raw c; take (at + 1)
  in
  take 1;
  let length = Buffer.length raw in
  Buffer.add_string raw (String.make (-length land 7) '\000');
  (Buffer.contents raw, length)

let reference length = if length > 0 then 0x8000 lor length else 0
let add = Buffer.add_int64_le

(* The header lacks the size. *)
let put header rest =
  let record = Buffer.create 64 in
  add record (header ||| bits (1 + (Buffer.length rest / 8)) 4);
  Buffer.output_buffer stdout record;
  Buffer.output_buffer stdout rest

let of_words words =
  let rest = Buffer.create 64 in
  List.iter (add rest) words;
  rest

let fields = Hashtbl.create 16
let field = Hashtbl.find fields
let args = Buffer.create 64
let count = ref 0

let event () =
  let kind = find events (field "event") in
  let (category, of_category), (name, of_name) = (text (field "category"), text (field "name")) in
  let rest = of_words (List.map (fun key -> number (field key)) [ "ts"; "process"; "thread" ]) in
  List.iter (Buffer.add_string rest) [ category; name; Buffer.contents args ];
  if kind = 0 then add rest (Int64.of_int (find scopes (field "scope")));
  if kind = 1 then add rest (number (field "id"));
  if kind = 4 then add rest (number (field "end"));
  put (bits 4 0 ||| bits kind 16 ||| bits !count 20 ||| bits (reference of_category) 32
       ||| bits (reference of_name) 48) rest;
  Buffer.clear args;
  count := 0

let arg kind quoted value =
  let name, length = text quoted in
  let is_wide = kind > 2 in
  let size = 1 + (String.length name / 8) + if is_wide then 1 else 0 in
  add args (bits kind 0 ||| bits size 4 ||| bits (reference length) 16
            ||| if is_wide then 0L else Int64.shift_left value 32);
  Buffer.add_string args name;
  if is_wide then add args value;
  incr count

let line text_of_line =
  match String.split_on_char ' ' text_of_line with
  | [ "write"; "initialization"; ticks ] -> put 1L (of_words [ number ticks ])
  | [ "write"; "provider"; id; quoted ] ->
      let name, length = text quoted in
      let rest = Buffer.create 64 in
      Buffer.add_string rest name;
      put (bits 1 16 ||| Int64.shift_left (number id) 20 ||| bits length 52) rest
  | [ "arg"; kind; name; value ] -> arg (find types kind) name (number value)
  | [ "done" ] -> event ()
  | [ key; value ] -> Hashtbl.replace fields key value
  | _ -> failwith text_of_line

let () =
  set_binary_mode_out stdout true;
  put 0x0016547846040000L (of_words []);
  let script = open_in_bin Sys.argv.(1) in
  try
    while true do
      line (input_line script)
    done
  with End_of_file -> ()
