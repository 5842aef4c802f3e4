(* A module for Frama-C: prints what it sees in a file, and refuses what may not be there. What is
   allowed is listed; anything else is refused. One line a definition or declaration, read by
   seen.py:

     TAG <tab> NAME <tab> FILE <tab> LINE <tab> digest of the normalised text
     refused <tab> NAME <tab> FILE <tab> LINE <tab> digest of the text that holds it <tab> what *)
open Cil_types

let attributes =
  [ "always_inline"; "arraylen"; "cold"; "const"; "fc_local_static"; "fc_stdlib"; "ghost"; "noinline";
    "restrict"; "visibility" ]

let digest text = Digest.to_hex (Digest.string text)

(* Recursive definitions. A contradiction would follow from n = n + 1. *)

class calls l found = object
  inherit Visitor.frama_c_inplace
  method! vterm t =
    (match t.term_node with
     | Tapp (i, _, args) when Cil_datatype.Logic_info.equal i l -> found := args :: !found
     | _ -> ());
    Cil.DoChildren
  method! vpredicate_node p =
    (match p with
     | Papp (i, _, args) when Cil_datatype.Logic_info.equal i l -> found := args :: !found
     | _ -> ());
    Cil.DoChildren
end

let calls_with visit l part =
  let found = ref [] in
  ignore (visit (new calls l found :> Visitor.frama_c_visitor) part);
  !found

let in_term l t = calls_with Visitor.visitFramacTerm l t
let in_predicate l p = calls_with Visitor.visitFramacPredicate l p

let rec is_number t = match t.term_node with
  | TConst (Integer _) -> true
  | TLogic_coerce (_, t) -> is_number t
  | _ -> false

let rec is_variable v t = match t.term_node with
  | TLval (TVar w, TNoOffset) -> Cil_datatype.Logic_var.equal v w
  | TLogic_coerce (_, t) -> is_variable v t
  | _ -> false

let rec is_less v t = match t.term_node with
  | TBinOp (MinusA, a, { term_node = TConst (Integer (k, _)) }) ->
    is_variable v a && Integer.gt k Integer.zero
  | TLogic_coerce (_, t) -> is_less v t
  | _ -> false

(* v <= number ? no call here : each call with v less a number *)
let falls l =
  let is_end v t = match t.term_node with
    | TBinOp (Le, a, b) -> is_variable v a && is_number b
    | _ -> false in
  let on v place calls = List.for_all (fun args -> is_less v (List.nth args place)) calls in
  let rec term v place t = match t.term_node with
    | Tat (t, _) -> term v place t
    | Tif (c, a, b) -> is_end v c && in_term l a = [] && on v place (in_term l b)
    | _ -> false
  and predicate v place p = match p.pred_content with
    | Pat (p, _) -> predicate v place p
    | Pif (c, a, b) -> is_end v c && in_predicate l a = [] && on v place (in_predicate l b)
    | _ -> false in
  let formals = List.mapi (fun place v -> place, v) l.l_profile in
  List.exists (fun (place, v) ->
      v.lv_type = Linteger && match l.l_body with
      | LBterm t -> term v place t
      | LBpred p -> predicate v place p
      | _ -> false) formals

(* A predicate that calls itself only where it makes itself more true has a least solution. *)
let rec positive l p =
  in_predicate l p = [] || match p.pred_content with
  | Papp (_, _, args) -> List.for_all (fun t -> in_term l t = []) args
  | Pand (a, b) | Por (a, b) -> positive l a && positive l b
  | Pimplies (a, b) -> in_predicate l a = [] && positive l b
  | Pif (c, a, b) -> in_term l c = [] && positive l a && positive l b
  | Pforall (_, p) | Pexists (_, p) | Pat (p, _) -> positive l p
  | _ -> false

let ends l = match l.l_body with
  | LBterm t -> in_term l t = [] || falls l
  | LBpred p -> positive l p || falls l
  | _ -> true

(* Labels, and loops over local ghost variables: the steps of an induction. A break leaves a ghost
   loop, and no other. *)
let is_ghost in_loop = function
  | Instr (Skip _ | Code_annot _) | If _ | Loop _ | Block _ -> true
  | Break _ -> in_loop
  | Instr (Set ((Var v, NoOffset), _, _) | Local_init (v, AssignInit _, _)) ->
    v.vghost && not v.vglob
  | _ -> false

class look refuse = object (self)
  inherit Visitor.frama_c_inplace
  val mutable here = Cil_datatype.Location.unknown
  val mutable in_ghost_loop = false

  method private refuse what = refuse here what
  method private only good what = if not good then self#refuse what
  method private proved p what = self#only (p.tp_kind = Assert) ("check or admit: " ^ what)

  method! vattr a =
    let name = match a with Attr (name, _) | AttrAnnot name -> name in
    self#only (List.mem name attributes) ("attribute " ^ name);
    Cil.DoChildren

  method! vtype t =
    (match t with
     | TFloat _ -> self#refuse "a float"
     | TBuiltin_va_list _ | TFun (_, _, true, _) -> self#refuse "variable arguments"
     | TPtr (TFun _, _) -> self#refuse "a pointer to a function"
     | _ -> ());
    Cil.DoChildren

  method! vcompinfo c =
    self#only c.cstruct "a union";
    self#only (List.for_all (fun f -> f.fbitfield = None) (Option.value c.cfields ~default:[]))
      "a bit field";
    Cil.DoChildren

  method! vvdec v =
    self#only (not v.vghost || not (v.vglob || v.vformal))
      "a ghost variable or function that is not local";
    Cil.DoChildren

  method! vspec s =
    (match s.spec_terminates with
     | Some { ip_content = p } ->
       self#proved p "terminates";
       self#only (Logic_utils.is_trivially_true p.tp_statement) "terminates other than \\true"
     | None -> self#refuse "a contract without terminates");
    self#only (s.spec_variant = None) "decreases";
    self#only (s.spec_complete_behaviors = [] && s.spec_disjoint_behaviors = []) "behaviors";
    (match s.spec_behavior with
     | [ b ] ->
       self#only (Cil.is_default_behavior b) "a named behavior";
       self#only (b.b_assigns <> WritesAny) "a contract without assigns"
     | _ -> self#refuse "a contract without assigns, or behaviors");
    Cil.DoChildren

  method! vbehavior b =
    self#only (b.b_assumes = []) "assumes";
    self#only (b.b_allocation = FreeAllocAny) "allocates or frees";
    self#only (b.b_extended = []) "an extension of ACSL";
    List.iter (fun p -> self#proved p.ip_content "requires") b.b_requires;
    List.iter (fun (kind, p) ->
        self#only (kind = Normal) "a clause of another end than return";
        self#proved p.ip_content "ensures") b.b_post_cond;
    Cil.DoChildren

  method! vcode_annot a =
    (match a.annot_content with
     | AAssert ([], p) -> self#proved p "assert"
     | AInvariant ([], true, p) -> self#proved p "loop invariant"
     | AVariant (_, None) | AAssigns ([], Writes _) -> ()
     | _ -> self#refuse "an annotation other than assert, loop invariant, assigns and variant");
    Cil.DoChildren

  method! vstmt_aux s =
    here <- Cil_datatype.Stmt.loc s;
    if s.ghost then self#only (is_ghost in_ghost_loop s.skind) "ghost code that does more than count";
    (match s.skind with
     | Instr (Asm _) -> self#refuse "assembly"
     | Throw _ | TryCatch _ | TryFinally _ | TryExcept _ -> self#refuse "an exception"
     | Loop _ ->
       let all = List.map (fun a -> a.annot_content) (Annotations.code_annot s) in
       let has test = List.exists test all in
       self#only (has (function AInvariant _ -> true | _ -> false)) "a loop without invariant";
       self#only (has (function AAssigns _ -> true | _ -> false)) "a loop without assigns";
       self#only (has (function AVariant _ -> true | _ -> false)) "a loop without variant"
     | _ -> ());
    let outside = in_ghost_loop in
    (match s.skind with Loop _ -> in_ghost_loop <- s.ghost | _ -> ());
    Cil.DoChildrenPost (fun s -> in_ghost_loop <- outside; s)

  method! vannotation a =
    (match a with
     | Dfun_or_pred (l, _) ->
       (match l.l_body with
        | LBterm _ | LBpred _ -> self#only (ends l) "recursion that does not fall"
        | LBnone | LBreads _ -> self#refuse "a logic function without definition"
        | LBinductive _ -> self#refuse "an inductive definition")
     | Daxiomatic _ -> self#refuse "axiomatic"
     | Dlemma _ -> self#refuse "a lemma"
     | _ -> self#refuse "a global annotation that is no logic function");
    Cil.DoChildren

  method! vglob_aux g =
    here <- Cil_datatype.Global.loc g;
    (match g with
     | GAsm _ -> self#refuse "assembly"
     | GPragma _ -> self#refuse "a pragma"
     | GText _ -> self#refuse "text"
     | _ -> ());
    Cil.DoChildren
end

(* A text of a function, whatever its parameters are called. *)
let nameless formals text =
  let named = List.map (fun f -> f, f.vname, f.vlogic_var_assoc) formals in
  let rename f name =
    f.vname <- name;
    Option.iter (fun l -> l.lv_name <- name) f.vlogic_var_assoc in
  List.iteri (fun i (f, _, _) -> rename f (Printf.sprintf "_%d" i)) named;
  let found = text () in
  List.iter (fun (f, name, _) -> rename f name) named;
  found

let contract v formals = nameless formals (fun () ->
    let result, _, _, _ = Cil.splitFunctionType v.vtype in
    Format.asprintf "%a@.%a@.%a" Printer.pp_typ result
      (Format.pp_print_list (fun out f -> Printer.pp_typ out f.vtype)) formals
      Printer.pp_funspec (Annotations.funspec (Globals.Functions.get v)))

let name_of = function
  | GType (t, _) -> "type", t.tname
  | GCompTag (c, _) -> "type", Cil.compFullName c
  | GEnumTag (e, _) -> "type", "enum " ^ e.ename
  | GFun (f, _) -> "body", f.svar.vname
  | GFunDecl (_, v, _) -> "declaration", v.vname
  | GVar (v, _, _) | GVarDecl (v, _) -> "variable", v.vname
  | GAnnot (Dfun_or_pred (l, _), _) ->
    "logic", Format.asprintf "%s(%a)" l.l_var_info.lv_name
      (Format.pp_print_list ~pp_sep:(fun out () -> Format.fprintf out ", ")
         (fun out v -> Printer.pp_logic_type out v.lv_type)) l.l_profile
  | _ -> "other", "-"

let print g =
  let tag, name = name_of g in
  let formals = match g with GFun (f, _) -> f.sformals | _ -> [] in
  let text = digest (nameless formals (fun () -> Format.asprintf "%a" Printer.pp_global g)) in
  let line tag ((start, _) : location) digest more =
    Format.printf "%s@." (String.concat "\t" ([
        tag; name; (start.Filepath.pos_path :> string); string_of_int start.Filepath.pos_lnum;
        digest ] @ more)) in
  let here = Cil_datatype.Global.loc g in
  line tag here text [];
  (match g with
   | GFun (f, _) -> line "contract" here (digest (contract f.svar f.sformals)) []
   | GFunDecl (_, v, _) when not (Kernel_function.is_definition (Globals.Functions.get v)) ->
     line "promise" here (digest (contract v (Cil.getFormalsDecl v))) []
   | _ -> ());
  let defined_below = match g with
    | GFunDecl (_, v, _) -> Kernel_function.is_definition (Globals.Functions.get v)
    | _ -> false in
  if not defined_below then
    ignore (Visitor.visitFramacGlobal
              (new look (fun where what -> line "refused" where text [ what ])) g)

let () = Db.Main.extend (fun () -> List.iter print (Ast.get ()).globals; Format.printf "end@.")
