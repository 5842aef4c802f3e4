(* A module for Frama-C: prints what it sees in a program, and refuses what may not be there. What is
   allowed is listed; anything else is refused. One line each, read by seen.py:

     promise  <tab> NAME <tab> FILE <tab> LINE <tab> digest of the text of a function without a body
     function <tab> NAME <tab> FILE <tab> LINE <tab> digest of all that its proof depends on <tab> words:
                                  constants, if constants of the program are among it; pure, if it assigns
                                  nothing; requires, if its contract does
     refused  <tab> NAME <tab> FILE <tab> LINE <tab> digest of the text that holds it <tab> what *)
open Cil_types

let attributes =
  [ "always_inline"; "arraylen"; "cold"; "const"; "fc_local_static"; "fc_stdlib"; "ghost"; "noinline";
    "restrict"; "visibility" ]

(* The value of an argument of the engine, of which what is proved reads a word or a pointer and stores none. *)
let is_value c =
  let fields = List.map (fun f -> f.fname) (Option.value c.cfields ~default:[]) in
  not c.cstruct && fields = [ "word"; "int64_value"; "double_value"; "string" ]

let pragmas =
  [ "GCC visibility push(hidden)"; "GCC visibility pop"; "GCC diagnostic ignored \"-Wunused-function\"";
    "GCC diagnostic ignored \"-Wmaybe-uninitialized\"" ]

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

(* A scalar local that is read where it may not have been written. Those whose address is taken are not looked at. *)
let unwritten f =
  let local v =
    not (v.vglob || v.vformal || v.vghost || v.vaddrof) && Cil.isArithmeticOrPointerType v.vtype in
  let written = Hashtbl.create 64 and found = ref [] in
  let reads state part =
    ignore (part (object
      inherit Visitor.frama_c_inplace
      method! vexpr e =
        (match e.enode with
         | SizeOfE _ | AlignOfE _ -> Cil.SkipChildren
         | Lval (Var v, _) when local v && not (Cil_datatype.Varinfo.Set.mem v state) ->
           found := (v, e.eloc) :: !found; Cil.DoChildren
         | _ -> Cil.DoChildren)
    end :> Visitor.frama_c_visitor)) in
  let expression state e = reads state (fun v -> Visitor.visitFramacExpr v e) in
  let lvalue state (host, offset as l) = match host, offset with
    | Var v, NoOffset -> Cil_datatype.Varinfo.Set.add v state
    | _ -> reads state (fun v -> Visitor.visitFramacLval v l); state in
  let forget b state = List.fold_right Cil_datatype.Varinfo.Set.remove b.blocals state in
  let step state s = match s.skind with
    | Instr (Set (l, e, _)) -> expression state e; lvalue state l
    | Instr (Call (l, g, args, _)) ->
      List.iter (expression state) (g :: args);
      Option.fold ~none:state ~some:(lvalue state) l
    | Instr (Local_init (v, init, _)) ->
      reads state (fun w -> Visitor.visitFramacInstr w (match s.skind with Instr i -> i | _ -> assert false));
      ignore init;
      Cil_datatype.Varinfo.Set.add v state
    | Return (Some e, _) -> expression state e; state
    | If (e, a, b, _) -> expression state e; forget a (forget b state)
    | Switch (e, b, _, _) -> expression state e; forget b state
    | Loop (_, b, _, _, _) | Block b -> forget b state
    | _ -> state in
  let rec go = function
    | [] -> ()
    | (state, s) :: rest ->
      let state = match Hashtbl.find_opt written s.sid with
        | Some before -> Cil_datatype.Varinfo.Set.inter before state
        | None -> state in
      if Hashtbl.find_opt written s.sid |> Option.fold ~none:false ~some:(Cil_datatype.Varinfo.Set.equal state)
      then go rest
      else begin
        Hashtbl.replace written s.sid state;
        let after = step state s in
        go (List.map (fun next -> after, next) s.succs @ rest)
      end in
  (match f.sbody.bstmts with [] -> () | first :: _ -> go [ Cil_datatype.Varinfo.Set.empty, first ]);
  found := [];
  List.iter (fun s -> Option.iter (fun state -> ignore (step state s)) (Hashtbl.find_opt written s.sid)) f.sallstmts;
  !found

let is_null e = Cil.isZero (Cil.stripCasts e)
let is_pointer e = Cil.isPointerType (Cil.typeOf e)

(* Whether the contract says that what the two point to is apart. *)
let apart spec v w =
  let is_in t v =
    let found = ref false in
    ignore (Visitor.visitFramacTerm (object
      inherit Visitor.frama_c_inplace
      method! vlogic_var_use u = if Cil_datatype.Logic_var.equal u v then found := true; Cil.SkipChildren
    end :> Visitor.frama_c_visitor) t);
    !found in
  let rec says v w p = match p.pred_content with
    | Pand (a, b) -> says v w a || says v w b
    | Pat (p, _) -> says v w p
    | Pseparated all -> List.exists (fun t -> is_in t v) all && List.exists (fun t -> is_in t w) all
    | Papp ({ l_body = LBpred body; l_profile }, _, args) ->
      let given v = List.filter_map (fun (formal, t) -> if is_in t v then Some formal else None)
          (List.combine l_profile args) in
      List.exists (fun v -> List.exists (fun w -> says v w body) (given w)) (given v)
    | _ -> false in
  let v = Cil.cvar_to_lvar v and w = Cil.cvar_to_lvar w in
  List.exists (fun b -> List.exists (fun r -> says v w r.ip_content.tp_statement) b.b_requires) spec.spec_behavior

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
    if is_value c then Cil.SkipChildren else begin
    self#only c.cstruct "a union";
    self#only (List.for_all (fun f -> f.fbitfield = None) (Option.value c.cfields ~default:[]))
      "a bit field";
    Cil.DoChildren end

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

  method! vexpr e =
    (match e.enode with
     | BinOp ((Eq | Ne | Lt | Gt | Le | Ge), a, b, _) when is_pointer a || is_pointer b ->
       self#only (is_null a || is_null b) "a comparison of two pointers"
     | BinOp (MinusPP, _, _, _) -> self#refuse "a difference of two pointers"
     | CastE (t, a) when is_pointer a && not (Cil.isPointerType t || Cil.isVoidType t) ->
       self#refuse "a pointer that is made a number"
     | _ -> ());
    Cil.DoChildren

  method! vfunc f =
    List.iter (fun (v, where) -> refuse where (v.vname ^ " is read before it is written: this"))
      (unwritten f);
    let restricted = List.filter (fun v -> Cil.typeHasAttribute "restrict" v.vtype) f.sformals in
    let spec = Annotations.funspec (Globals.Functions.get f.svar) in
    List.iter (fun v -> List.iter (fun w ->
        self#only (v == w || not (Cil.isPointerType w.vtype) || apart spec v w)
          "restrict without \\separated") f.sformals) restricted;
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
     | GPragma ((Attr (text, _) | AttrAnnot text), _) when List.mem text pragmas -> ()
     | GPragma _ -> self#refuse "a pragma"
     | GText _ -> self#refuse "text"
     | _ -> ());
    (match g with GPragma _ -> Cil.SkipChildren | _ -> Cil.DoChildren)
end

(* What a proof depends on: the body of the function; of what it calls, the contract; and the types, logic,
   variables and constants that these name, and those that they name in turn. *)

let key kind name = kind ^ " " ^ name
let logic_key l = key "logic" (Format.asprintf "%s(%a)" l.l_var_info.lv_name
  (Format.pp_print_list ~pp_sep:(fun out () -> Format.fprintf out ", ")
     (fun out v -> Printer.pp_logic_type out v.lv_type)) l.l_profile)
let variable_key v = key (if Cil.isFunctionType v.vtype then "contract" else "variable") v.vname
let comp_key c = key "type" (Cil.compFullName c)
let enum_key e = key "type" ("enum " ^ e.ename)

let nodes : (string, string * string list) Hashtbl.t = Hashtbl.create 4096

class names found = object (self)
  inherit Visitor.frama_c_inplace
  method private add k = found := k :: !found
  method private item e =
    let value = Option.fold ~none:"?" ~some:Integer.to_string (Cil.constFoldToInt e.eival) in
    self#add (key "constant" (e.einame ^ " = " ^ value))
  method! vvrbl v = if v.vglob then self#add (variable_key v); Cil.DoChildren
  method! vlogic_var_use v =
    Option.iter (fun v -> if v.vglob then self#add (variable_key v)) v.lv_origin;
    Cil.DoChildren
  method! vlogic_info_use l = self#add (logic_key l); Cil.DoChildren
  method! vtype t =
    (match t with
     | TComp (c, _) -> self#add (comp_key c)
     | TEnum (e, _) -> self#add (enum_key e)
     | TNamed (n, _) -> self#add (key "type" n.tname)
     | _ -> ());
    Cil.DoChildren
  method! vexpr e =
    (match e.enode with Const (CEnum item) -> self#item item | _ -> ());
    Cil.DoChildren
  method! vterm t =
    (match t.term_node with TConst (LEnum item) -> self#item item | _ -> ());
    Cil.DoChildren
end

let names_in visit part =
  let found = ref [] in
  ignore (visit (new names found :> Visitor.frama_c_visitor) part);
  !found

let names_of_type t = names_in (fun v t -> Visitor.visitFramacType v t) t

let contract v =
  Format.asprintf "%a@.%a" Printer.pp_typ v.vtype
    Printer.pp_funspec (Annotations.funspec (Globals.Functions.get v))

let contract_names v =
  names_of_type v.vtype
  @ names_in Visitor.visitFramacFunspec (Annotations.funspec (Globals.Functions.get v))

let note g =
  let text () = Format.asprintf "%a" Printer.pp_global g in
  let names () = names_in (fun v g -> Visitor.visitFramacGlobal v g) g in
  match g with
  | GFun (f, _) ->
    Hashtbl.replace nodes (key "body" f.svar.vname) (text (), contract_names f.svar @ names ());
    Hashtbl.replace nodes (variable_key f.svar) (contract f.svar, contract_names f.svar)
  | GFunDecl (_, v, _) ->
    Hashtbl.replace nodes (variable_key v) (contract v, contract_names v)
  | GType (t, _) -> Hashtbl.replace nodes (key "type" t.tname) (text (), names_of_type t.ttype)
  | GCompTag (c, _) ->
    let fields = Option.value c.cfields ~default:[] in
    Hashtbl.replace nodes (comp_key c)
      (text (), List.concat_map (fun f -> names_of_type f.ftype) fields)
  | GEnumTag (e, _) ->
    Hashtbl.replace nodes (enum_key e) (Format.asprintf "%a" Printer.pp_ikind e.ekind, [])
  | GVar (v, _, _) | GVarDecl (v, _) -> Hashtbl.replace nodes (variable_key v) (text (), names ())
  | GAnnot (Dfun_or_pred (l, _), _) -> Hashtbl.replace nodes (logic_key l) (text (), names ())
  | _ -> ()

let closure start =
  let seen = Hashtbl.create 64 in
  let rec go k =
    if not (Hashtbl.mem seen k) then begin
      let text, next = try Hashtbl.find nodes k with Not_found -> "", [] in
      Hashtbl.replace seen k text;
      List.iter go next
    end in
  go start;
  List.sort compare (Hashtbl.fold (fun k text all -> (k, text) :: all) seen [])

let line tag name ((start, _) : location) digest more =
  Format.printf "%s@." (String.concat "\t" ([
      tag; name; (start.Filepath.pos_path :> string); string_of_int start.Filepath.pos_lnum;
      digest ] @ more))

let name_of = function
  | GFun (f, _) -> f.svar.vname
  | GFunDecl (_, v, _) | GVar (v, _, _) | GVarDecl (v, _) -> v.vname
  | GType (t, _) -> t.tname
  | GAnnot (Dfun_or_pred (l, _), _) -> l.l_var_info.lv_name
  | _ -> "-"

let print g =
  let here = Cil_datatype.Global.loc g in
  let text = digest (Format.asprintf "%a" Printer.pp_global g) in
  (match g with
   | GFun (f, _) ->
     let all = closure (key "body" f.svar.vname) in
     let is_variable (k, _) = String.length k > 9 && String.sub k 0 9 = "variable " in
     let behaviors = (Annotations.funspec (Globals.Functions.get f.svar)).spec_behavior in
     let is test = List.exists test behaviors in
     let word name yes = if yes then [ name ] else [] in
     line "function" f.svar.vname here
       (digest (String.concat "\n" (List.concat_map (fun (k, text) -> [ k; text ]) all)))
       [ String.concat " "
           (word "constants" (List.exists is_variable all) @ word "pure" (is (fun b -> b.b_assigns = Writes []))
            @ word "requires" (is (fun b -> b.b_requires <> []))) ]
   | GFunDecl (_, v, _) when not (Kernel_function.is_definition (Globals.Functions.get v)) ->
     line "promise" v.vname here text []
   | _ -> ());
  let defined_below = match g with
    | GFunDecl (_, v, _) -> Kernel_function.is_definition (Globals.Functions.get v)
    | _ -> false in
  if not defined_below then
    ignore (Visitor.visitFramacGlobal
              (new look (fun where what -> line "refused" (name_of g) where text [ what ])) g)

let () = Db.Main.extend (fun () ->
    let globals = (Ast.get ()).globals in
    List.iter note globals;
    List.iter print globals;
    Format.printf "end@.")
